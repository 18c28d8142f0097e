internal import Bytes
internal import CrashModel

/// Clean:
///
///     Stack trace:
///     charge [module: Desk]
///     Start [module: Desk]
///     Execution: 0.00  Garbage collection: 0.00  Total: 0.00
///     Run Time Error: index out of range
///
/// Source: `clean-run-time-system` of Clean.
enum CleanTrace: LanguageTrace {
  static let name = "clean"
  static let kind = Headline.Kind("Clean error")
  static let headlines = [
    HeadlineRule(kind, "Stack trace:") { text, mark, _ in
      guard call(text.part(TraceText.lineAfter(mark, in: text)).trimmed) != nil else { return nil }
      return Headline.Location(start: mark, content: mark)
    }
  ]

  /// Lines of statistics between the calls and the error.
  private static let otherLineLimit = 4

  static func read(_ section: ReportSection, _ text: RawSpan, into parser: inout LanguageParser) {
    parser.chain[0].type = "Run Time Error"
    var others = 0
    section.forEachLine(in: text) { line in
      if others == 0, let end = call(line) {
        let module = line.part((end + 10)..<(line.byteCount - 1))
        parser.add(line.upTo(end), isLibrary: module.has("System"))
        return true
      }
      if let mark = line.find("Run Time Error: ") {
        parser.set(type: "Run Time Error", message: line.from(mark + 16))
        return false
      }
      others += 1
      return others < otherLineLimit
    }
  }

  /// The end of the name in `charge [module: Desk]`.
  private static func call(_ line: RawSpan) -> Int? {
    guard line.ends(with: "]"), let end = line.find(" [module: "), end > 0,
      end + 10 < line.byteCount
    else { return nil }
    return end
  }
}
