public import Identifiers

/// One alert that a rule raised, with the facts at that time.
public struct Alert: Hashable, Sendable {
  public var time: Timestamp
  /// The app; empty if it concerns none.
  public var app: String
  /// The displayed name: `TERN-12`, or the name of a file; empty for none.
  public var name: String
  /// The title, for example the text of a signature.
  public var title: String
  /// Details in a sentence.
  public var detail: String
  /// The path of its page on the server: `/groups/TERN-12`.
  public var path: String

  public init(
    time: Timestamp, app: String, name: String, title: String, detail: String, path: String
  ) {
    self.time = time
    self.app = app
    self.name = name
    self.title = title
    self.detail = detail
    self.path = path
  }
}

/// Alerts of a rule that are sent to its target together.
public struct AlertDelivery: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    /// It will be tried at this time, for the first time or again.
    case waiting(due: Timestamp)
    case sent(Timestamp)
    /// It will not be tried again.
    case failed(Timestamp)
  }

  public var number: Int
  /// The same at every attempt, so that a receiver can recognize duplicates.
  public var id: String
  /// 0 for a test.
  public var rule: Int
  public var kind: AlertRule.Kind
  public var target: String
  public var created: Timestamp
  public var attempts: Int
  public var state: State
  /// The target's last response.
  public var answer: String?
  /// The number of alerts in it, and of further ones that are only counted.
  public var count: Int
  public var more: Int

  public init(
    number: Int, id: String, rule: Int, kind: AlertRule.Kind, target: String, created: Timestamp,
    attempts: Int, state: State, answer: String?, count: Int, more: Int
  ) {
    self.number = number
    self.id = id
    self.rule = rule
    self.kind = kind
    self.target = target
    self.created = created
    self.attempts = attempts
    self.state = state
    self.answer = answer
    self.count = count
    self.more = more
  }

  public var isTest: Bool { rule == 0 }
}
