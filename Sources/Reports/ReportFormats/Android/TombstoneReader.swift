internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A native crash as Android's debuggerd writes it, as text.
  static let androidTombstone = ReportFormat("android-tombstone")
}

extension Headline.Kind {
  /// `Build fingerprint: '…'` of a tombstone.
  fileprivate static let tombstone = Headline.Kind("tombstone")
  /// `pid: 1, tid: 2, name: …` without a fingerprint before it.
  fileprivate static let tombstoneThread = Headline.Kind("tombstone thread")
  /// `Fatal signal 11 (SIGSEGV), …`, which the C library prints before the tombstone.
  fileprivate static let fatalSignal = Headline.Kind("Android fatal signal")
  /// The output of `libmemunreachable`.
  fileprivate static let unreachable = Headline.Kind("unreachable memory")
}

/// Tombstones as text: files of `/data/tombstones`, the output of debuggerd in the log, and files of Unity
/// and xCrash in the same form.
///
///     *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
///     Build fingerprint: '…'
///     ABI: 'arm64'
///     pid: 9850, tid: 9893, name: worker  >>> /system/bin/adbd <<<
///     signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------
///     Abort message: '…'
///         x0  0000000000000000  …
///     backtrace:
///           #00 pc 00000000000603ca  /path/lib.so (symbol+166) (BuildId: …)
///     --- --- --- …
///     pid: 9850, tid: 9850, name: main  >>> /system/bin/adbd <<<
///
/// Source: `debuggerd/libdebuggerd/tombstone_proto_to_text.cpp` of Android 12 and later, `tombstone.cpp` before;
/// reports of Android 4 to 16.
enum TombstoneReader: LogReader {
  static let format = ReportFormat.androidTombstone
  static let fileExtension = "txt"
  static let beginsDeaths = true

  static let headlines = [
    HeadlineRule(.tombstone, "Build fingerprint: ") { text, mark, _ in
      // Traces of ART have the line too, after their command line.
      let before = text.part(max(0, mark - 512)..<mark)
      guard !before.contains("Cmd line: "), !before.contains("Crash type: 'anr'") else {
        return nil
      }
      return Headline.Location(start: mark, content: mark + 19)
    },
    HeadlineRule(.tombstoneThread, ", tid: ") { text, mark, lines in
      // The start of the log may be lost.
      let line = max(lines.start(of: mark, in: text), mark - 256)
      guard let start = text.part(line..<mark).findLast("pid: ").map({ line + $0 }),
        isNumber(text.part(start + 5..<mark)),
        text.part(mark..<mark + 1024).upToLineEnd.contains(" >>> ")
      else { return nil }
      guard !text.part(max(0, start - 256)..<start).contains("--- --- --- ---"),
        !text.part(max(0, start - 1024)..<start).contains("Build fingerprint: ")
      else { return nil }
      return Headline.Location(start: start, content: start)
    },
    // The tag of the C library precedes the colon, with blanks or with the process id.
    HeadlineRule(.fatalSignal, " : Fatal signal ", role: .announces(.tombstone)) { _, mark, _ in
      Headline.Location(start: mark + 3, content: mark + 16)
    },
    HeadlineRule(.fatalSignal, "): Fatal signal ", role: .announces(.tombstone)) { _, mark, _ in
      Headline.Location(start: mark + 3, content: mark + 16)
    },
    HeadlineRule(.unreachable, "ABI: '") { text, mark, _ in
      let first = max(0, mark - 256)
      let before = text.part(first..<mark)
      guard let start = before.findLast("Unreachable memory"),
        before.from(start).contains(" unreachable allocation")
      else { return nil }
      return Headline.Location(start: mark, content: first + start)
    },
  ]

  private static func isNumber(_ text: RawSpan) -> Bool {
    var position = 0
    return text.decimal(at: &position) != nil && position == text.byteCount
  }

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = TombstoneParser()
    if headline.kind == .fatalSignal {
      parser.readFatalSignal(text.part(headline.content..<headline.line.upperBound).trimmed)
      return parser.isReport ? LoggedReport(report: parser.finished()) : nil
    }
    readLinesBefore(section, in: text, into: &parser)
    parser.read(text.part(headline.start..<headline.line.upperBound).trimmed)
    if headline.kind == .unreachable {
      let lines = text.part(headline.content..<headline.start)
      let line = lines.from((lines.find(10) ?? 0) + 1).upToLineEnd
      parser.setLeak(line.trimmed.name)
    }
    var lines = AndroidLines(of: section, in: text)
    while let line = lines.next(in: text, isReport: parser.isReport, toStars: parser.isXCrash) {
      let words = text.part(line).trimmed
      // The threads of an app that does not respond follow.
      if !parser.isXCrash, words.has("Subject: ") || words.has("----- pid ") {
        lines.end(at: line.lowerBound)
        break
      }
      parser.read(words)
    }
    return parser.isReport ? LoggedReport(report: parser.finished(), end: lines.end) : nil
  }

  /// xCrash prints its own lines before the fingerprint.
  private static func readLinesBefore(
    _ section: ReportSection, in text: RawSpan, into parser: inout TombstoneParser
  ) {
    guard section.headline.kind == .tombstone else { return }
    let start = section.headline.line.lowerBound
    let head = text.part(max(section.previous, start - 4096)..<start)
    guard let maker = head.findLast("Tombstone maker: ") else { return }
    var cursor = LineCursor(maker..<head.byteCount)
    while let range = cursor.next(in: head) {
      parser.readBefore(head.part(range).trimmed)
    }
  }
}
