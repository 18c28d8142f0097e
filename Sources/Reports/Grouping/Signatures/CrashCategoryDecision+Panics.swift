internal import CrashModel

extension CrashCategoryDecision {
  /// Handles a finding of Go's race detector. It is not a crash: it must not share a group with a crash in
  /// the same function.
  mutating func decideGoRace(_ report: CrashReport) -> Bool {
    guard report.format == Self.goPanic, report.reason.type == "DATA RACE" else { return false }
    decide(.signal, ["data race"], by: "reason.type", report.reason.type)
    return true
  }

  private static let goPanic = ReportFormat("go-panic")
  private static let panicFormats: Set<ReportFormat> = [
    goPanic, ReportFormat("rust-panic"), ReportFormat("language-trace"), .sanitizer,
  ]
  private static let panicTypes: Set<String> = ["panic", "fatal error", "error", "Error"]

  /// Panics of languages without classes of exceptions: the message takes the place of a class, unless the
  /// runtime prints the same one for every bug of a kind.
  mutating func decidePanic(
    _ report: CrashReport, _ classifier: FrameClassifier, _ images: inout ImageOwners
  ) -> Bool {
    guard Self.panicFormats.contains(report.format), let exception = report.reason.exception,
      let type = exception.type, Self.panicTypes.contains(type), !hasOwnStack(report)
    else { return false }
    decide(.assertion, by: "reason.exception", type)
    let cause = switchToRootCause(report, classifier, &images, withClass: false)
    // A panic while another unwinds ends the process; the first one is the bug.
    let isFirst = !(cause?.frames.isEmpty ?? true) && cause?.type == type
    let words = isFirst ? cause?.message : exception.message
    let assertion = words.map { AssertionText($0, classifier.rules) }
    leadingTokens.append([type, assertion?.text].compactMap { $0 }.joined(separator: ": "))
    hasWords = assertion?.text != nil
    message = nil
    return true
  }

  /// Whether a sanitizer's own stack says more than the panic or exception that ended the program under it.
  func hasOwnStack(_ report: CrashReport) -> Bool {
    // The stack of an exit shows only what ends every program of its language.
    if report.reason.type == "fuzz target exited",
      report.reason.exception?.frames.isEmpty == false
    {
      return false
    }
    return report.format == .sanitizer && frames.contains { $0.frameClass == .app }
  }

  /// The measured resource, in a report of a process that did not die: `cpu usage`, `EXC_RESOURCE IO`.
  static func measured(_ report: CrashReport) -> String? {
    guard let type = report.reason.type else { return nil }
    var text = MessageParameters.parameterised(type)
    if type == "EXC_RESOURCE", let code = report.reason.code {
      let word = code.prefix { $0.isLetter || $0 == "_" }
      if !word.isEmpty { text += " \(word)" }
    }
    return text.isEmpty ? nil : text
  }
}
