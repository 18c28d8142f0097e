public import CrashModel

/// Makes the signature of a report: where it crashed, in a short text, with each decision on the way.
///
/// The result follows from the report, the app's name and the rules alone. A signer remembers names
/// that it has normalised, within a limit; this changes nothing but the time.
public struct Signer: Sendable {
  public let rules: GroupingRules
  private let engine: SignatureMaker

  /// - Parameter remembers: Whether names that were normalised are remembered. Without it only the
  ///   time is another; for measuring.
  public init(rules: GroupingRules, remembers: Bool = true) {
    self.rules = rules
    engine = SignatureMaker(edition: rules.edition, own: rules.own, remembers: remembers)
  }

  /// A signer by all rules but one, to measure what that is worth. Its keys are of no version.
  ///
  /// - Parameter part: A ``RuleStep`` or a list such as `death-2.rules`; there is no signer without any
  ///   other.
  package init?(rules: GroupingRules, without part: String) {
    guard let edition = rules.edition.without(part) else { return nil }
    self.rules = rules
    engine = SignatureMaker(edition: edition, own: rules.own, remembers: true)
  }

  /// - Parameters:
  ///   - report: A report, symbolicated as far as possible.
  ///   - app: The product that groups belong to; part of the key, not of the text.
  /// - Complexity: O(frames), and no more than a fixed number of frames and bytes of each name is
  ///   looked at.
  public func signature(of report: CrashReport, app: String) -> Signature {
    engine.signature(of: report, app: app)
  }

  /// The report with ``Frame/inApp`` set wherever the rules can tell whose code a frame is.
  ///
  /// Mark after signing: the rules take a mark that a report came with for the reporter's own word.
  ///
  /// - Parameter app: The product, for rules that ask for it.
  /// - Complexity: O(frames) of all threads.
  public func marking(_ report: CrashReport, app: String) -> CrashReport {
    engine.marking(report, app: app)
  }
}
