internal import Bytes
package import ServerStore

/// The alert rules of a server, their targets and deliveries.
package protocol AlertService {
  /// Returns the rules in order of creation.
  func alertRules() throws -> [AlertRule]
  /// Returns the targets by name, without their secrets.
  func alertTargets() throws -> [AlertTargetSummary]
  /// Adds a rule, which covers events from now on, and returns it with its number.
  ///
  /// - Parameter author: The author in the list; a server always uses the token.
  func addAlertRule(_ fields: AlertRuleFields, by author: String) throws -> AlertRule
  func removeAlertRule(_ number: Int) throws
  /// Adds a target, or replaces the one with its name.
  ///
  /// - Parameter isForTesters: Whether mails to testers are sent through it from now on.
  /// - Returns: The target, with a new secret for signatures if it had none.
  func setAlertTarget(_ target: AlertTarget, isForTesters: Bool) throws -> StoredAlertTarget
  func removeAlertTarget(_ name: String) throws
  /// Sends a sample to a target.
  func testAlertTarget(_ name: String) throws -> AlertTest
  /// Returns the last deliveries, newest first.
  func alertLog(_ limit: Int) throws -> [AlertDelivery]
}

/// A target without its secrets.
package struct AlertTargetSummary: Hashable, Sendable {
  package var name: String
  /// Its type and its host.
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  package init(_ target: AlertTarget) { self.init(name: target.name, text: target.summary) }
}

/// A target that was added or replaced.
package struct StoredAlertTarget: Hashable, Sendable {
  package var target: AlertTargetSummary
  /// A new secret with which messages are signed, shown only once; `nil` if there is none, or a former one.
  package var secret: String?

  package init(target: AlertTargetSummary, secret: String? = nil) {
    self.target = target
    self.secret = secret
  }
}

/// The outcome of a sample.
package struct AlertTest: Hashable, Sendable {
  /// Whether the target accepted it.
  package var isSent: Bool
  /// The target's response, or the problem.
  package var answer: String

  package init(isSent: Bool, answer: String) {
    self.isSent = isSent
    self.answer = answer
  }
}

extension ServiceError {
  package init(_ error: AlertError) {
    let kind: FailureKind =
      switch error {
      case .invalid: .wrongUsage
      case .unknownTarget, .unknownRule, .unknownApp: .notFound
      case .inUse: .failed
      }
    // A query that cannot be parsed is shown on several lines, with a mark under the mistake.
    self.init(error.description.printableLines.joined(separator: "\n"), kind)
  }
}
