internal import Bytes
internal import CrashModel
internal import Identifiers

/// The reason in the lines before a Swift backtrace and in its first line.
struct SwiftCrashMessage {
  private(set) var signalNumber: Int?
  private(set) var message: String?

  /// Reads the lines before the report of `section`.
  init(before section: ReportSection, in text: RawSpan) {
    for headline in section.prelude {
      let line = text.part(headline.line)
      switch headline.kind {
      case .swiftSignal:
        if let number = line.number(after: "Signal ") { signalNumber = Int(exactly: number) }
      case .fatalError, .swiftFatalLine, .swiftFatalSpoken:
        message = Self.message(of: headline, before: section, in: text)
      default: break
      }
    }
  }

  /// The message, which may span several lines; it ends at the backtracer's output or an empty line.
  private static func message(
    of headline: Headline, before section: ReportSection, in text: RawSpan
  ) -> String {
    let end = min(
      section.range.lowerBound, headline.line.lowerBound + FormatLimits.preludeBytes)
    var cursor = LineCursor(headline.line.lowerBound..<max(end, headline.line.upperBound))
    var lines: [String] = []
    while let range = cursor.next(in: text) {
      let words = text.part(range).trimmed
      if !lines.isEmpty,
        words.byteCount == 0 || words.contains("*** Signal ")
          || words.contains("Program crashed: ") || words.has("swift-runtime: ")
          || words.has("Current stack trace:") || words.has("*** ")
      {
        break
      }
      lines.append(words.name)
    }
    return lines.joined(separator: "\n")
  }

  /// The reason that `description` names: `Bad pointer dereference`, `Swift runtime failure: TEXT`.
  func reason(
    description: String, faultAddress: UInt64?, isDarwin: Bool
  ) -> CrashReason {
    var reason = CrashReason(type: description, message: message)
    reason.signal =
      signalNumber.flatMap { SwiftSignal.name($0, isDarwin: isDarwin) }
      ?? SwiftSignal.name(ofDescription: description)
    let failure = "Swift runtime failure: "
    if description.hasPrefix(failure) {
      reason.type = String(failure.dropLast(2))
      reason.message = String(description.dropFirst(failure.count))
    }
    // For an abort it is the process that sent the signal, not an address.
    if reason.signal != "SIGABRT", reason.signal != "SIGQUIT" {
      reason.address = faultAddress.map(Address.init)
    }
    return reason
  }
}
