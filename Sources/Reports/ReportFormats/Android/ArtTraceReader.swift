internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The stacks of all threads of an app that does not respond, as Android's runtime writes them.
  static let androidANR = ReportFormat("android-anr")
}

extension Headline.Kind {
  /// `DALVIK THREADS (26):`.
  fileprivate static let artThreads = Headline.Kind("ART threads")
  /// `Cmd line: …` of a trace with native stacks alone.
  fileprivate static let artProcess = Headline.Kind("ART process")
  /// `"main" prio=5 tid=1 Native` without a heading above.
  fileprivate static let artMain = Headline.Kind("ART main thread")
  /// `ANR in app.tern` in the log of the system.
  fileprivate static let anrNotice = Headline.Kind("ANR notice")
}

/// Traces of ART, which Android writes when an app does not respond ("ANR"): files of `/data/anr`, entries of
/// the drop box, the content of `ApplicationExitInfo`, files of xCrash, and the system's messages in the log.
///
///     Subject: Input dispatching timed out (…)
///     ----- pid 3994 at 2025-04-10 15:37:52.936768373+0200 -----
///     Cmd line: app.tern
///     DALVIK THREADS (39):
///     "main" prio=5 tid=1 Blocked
///       | sysTid=3994 nice=-10 …
///       native: #00 pc 000000000004c35c  /apex/…/libc.so (syscall+28) (BuildId: …)
///       at app.tern.Till.pay(Till.kt:12)
///       - waiting to lock <0x0481d03d> (a java.lang.String) held by thread 4
///     ----- end 3994 -----
///
/// Source: `runtime/thread.cc`, `thread_list.cc` and `signal_catcher.cc` of ART; reports of Android 10 to 14.
enum ArtTraceReader: LogReader {
  static let format = ReportFormat.androidANR
  static let fileExtension = "txt"

  static let headlines = [
    HeadlineRule(.artThreads, "DALVIK THREADS (") { text, mark, _ in
      var end = mark + 16
      guard text.decimal(at: &end) != nil, text.has("):", at: end) else { return nil }
      return Headline.Location(start: mark, content: mark + 16)
    },
    HeadlineRule(.artProcess, "Cmd line: ") { text, mark, lines in
      let line = lines.start(of: mark, in: text)
      let before = text.part(max(0, line - 512)..<max(0, line - 1))
      let last = before.from((before.findLast(10) ?? -1) + 1)
      guard last.contains("----- pid ") || last.contains("--- --- --- ---") else { return nil }
      // Where the runtime lists its threads, the report begins with them.
      let next = text.find("Cmd line: ", from: mark + 10) ?? text.byteCount
      let near = text.part(mark..<min(next, mark + FormatLimits.finalMessageBytes))
      return near.contains("DALVIK THREADS (") ? nil : Headline.Location(start: mark, content: mark)
    },
    // As the Play Console shows it: the threads alone.
    HeadlineRule(.artMain, "\"main\" prio=") { text, mark, _ in
      var position = mark + 12
      guard text.decimal(at: &position) != nil, text.has(" tid=", at: position) else { return nil }
      position += 5
      // Java's own virtual machines write addresses there.
      guard text.decimal(at: &position) != nil, text.byteOrZero(position) == 32 else { return nil }
      let before = text.part(max(0, mark - 512)..<mark)
      guard !before.contains("DALVIK THREADS ("), !before.contains("suspend all") else {
        return nil
      }
      return Headline.Location(start: mark, content: mark)
    },
    HeadlineRule(.anrNotice, "ActivityManager: ANR in ") { _, mark, _ in
      Headline.Location(start: mark + 17, content: mark + 24)
    },
    HeadlineRule(.anrNotice, "ANR in ") { text, mark, lines in
      guard lines.start(of: mark, in: text) == mark, let end = text.find(10, from: mark),
        text.has("PID: ", at: end + 1)
      else { return nil }
      return Headline.Location(start: mark, content: mark + 7)
    },
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    let headline = section.headline
    var parser = ArtTraceParser()
    let line = text.part(headline.content..<headline.line.upperBound).trimmed
    if headline.kind == .anrNotice {
      parser.readNotice(line)
      section.forEachLine(in: text) { line in
        parser.readNotice(after: line.has("ActivityManager: ") ? line.from(17) : line)
      }
      return LoggedReport(report: parser.finished())
    }
    section.forEachLineBefore(in: text) { parser.readBefore($0) }
    if headline.kind == .artProcess { parser.readBefore(line) }
    if headline.kind == .artMain { _ = parser.read(line) }
    var lines = AndroidLines(of: section, in: text)
    while let line = lines.next(in: text, isReport: parser.isReport, toStars: parser.isXCrash),
      parser.read(text.part(line).trimmed)
    {}
    return parser.isReport ? LoggedReport(report: parser.finished(), end: lines.end) : nil
  }
}
