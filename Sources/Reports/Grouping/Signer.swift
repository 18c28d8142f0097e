public import CrashModel

/// Makes the signature of a report: where it crashed, as a short text, with each decision on the way.
///
/// The result follows from the report, the app's name and the rules alone. A signer caches names that it has
/// normalised, within a limit; this affects only the speed.
public struct Signer: Sendable {
  public let rules: GroupingRules
  private let engine: SignatureMaker

  /// - Parameter remembers: Whether normalised names are cached. It affects only the speed; for measuring.
  public init(rules: GroupingRules, remembers: Bool = true) {
    self.rules = rules
    engine = SignatureMaker(rules: rules.compiled, own: rules.own, remembers: remembers)
  }

  /// A signer without one list, to measure its effect. Its keys belong to no version.
  ///
  /// - Parameter list: The name of a list, such as `death.rules`; `nil` for any other name.
  package init?(rules: GroupingRules, without list: String) {
    guard let compiled = rules.compiled.without(list) else { return nil }
    self.rules = rules
    engine = SignatureMaker(rules: compiled, own: rules.own, remembers: true)
  }

  /// - Parameters:
  ///   - report: A report, symbolicated as far as possible.
  ///   - app: The product that groups belong to; part of the key, not of the text.
  /// - Complexity: O(frames), with a fixed limit on frames and on bytes of each name.
  public func signature(of report: CrashReport, app: String) -> Signature {
    engine.signature(of: report, app: app)
  }

  /// The report with ``Frame/inApp`` set wherever the rules can decide whether a frame is the app's.
  ///
  /// Mark after signing: the rules take any mark in a report for the client's.
  ///
  /// - Parameter app: The product, for rules that test it.
  /// - Complexity: O(frames) of all threads.
  public func marking(_ report: CrashReport, app: String) -> CrashReport {
    engine.marking(report, app: app)
  }
}
