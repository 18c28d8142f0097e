internal import Bytes
internal import CrashModel

extension Headline.Kind {
  /// The header of a report: `{"app_name":"Tern",…,"bug_type":"309",…}`.
  fileprivate static let appleHeader = Headline.Kind("Apple header")
}

/// Reports pasted into other text, or printed to a program's log.
extension AppleIPSReader: LogReader {
  static let headlines = [
    HeadlineRule(.appleHeader, "\"bug_type\":") { text, mark, lines in
      let line = max(lines.start(of: mark, in: text), mark - 8192)
      guard let brace = text.part(line..<mark).find("{\"") else { return nil }
      return Headline.Location(start: line + brace, content: line + brace)
    }
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var extent = AppleIPSExtent()
    var bytes: [UInt8] = []
    // The body names its type again, so it extends beyond what looks like the start of another report.
    var position = section.headline.start
    while position < text.byteCount, !extent.isComplete, !extent.isOther {
      let lineEnd = text.find(10, from: position) ?? text.byteCount
      let line = text.part(position..<lineEnd)
      position = min(lineEnd + 1, text.byteCount)
      extent.take(line, into: &bytes)
    }
    guard !extent.isOther, extent.hasBody else { return nil }
    let view = ByteView(bytes)
    guard let opening = AppleIPSOpening(of: view), opening.isHeader, !opening.isBeforeText else {
      return nil
    }
    var parser = AppleIPSParser(format: .appleIPS)
    _ = parser.read(view, from: 0, hasHeader: true)
    return LoggedReport(report: parser.finished().withScriptStack(), end: position)
  }
}

/// Finds the end of a report in longer text: after the object that follows its header.
struct AppleIPSExtent {
  /// Levels and bytes of a header; beyond them it is something else.
  private static let headerDepth = 8
  private static let headerBytes = 64 << 10

  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var objects = 0
  private(set) var isComplete = false
  /// Whether an object follows the header.
  var hasBody: Bool { objects == 2 || objects == 1 && depth > 0 }
  /// Whether the text is not a header.
  private(set) var isOther = false

  /// Adds the part of a line that belongs to the report to `bytes`.
  mutating func take(_ line: RawSpan, into bytes: inout [UInt8]) {
    for index in 0..<line.byteCount {
      let byte = line.byte(index)
      // Only an object that follows the header is its body.
      if depth == 0, objects == 1, ![9, 13, 32, UInt8(ascii: "{")].contains(byte) {
        isComplete = true
        return
      }
      bytes.append(byte)
      note(byte)
      if objects == 0, depth > Self.headerDepth || bytes.count > Self.headerBytes { isOther = true }
      if isComplete || isOther { return }
    }
    bytes.append(10)
  }

  private mutating func note(_ byte: UInt8) {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      guard depth <= 0 else { return }
      depth = 0
      objects += 1
      if objects == 2 { isComplete = true }
    default: break
    }
  }
}
