internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// The log that a Java virtual machine writes when it crashes: `hs_err_pid4711.log`.
  static let hotSpot = ReportFormat("java-hs-err")
}

extension Headline.Kind {
  /// `# A fatal error has been detected by the Java Runtime Environment:`.
  static let hotSpotError = Headline.Kind("HotSpot error")
  /// `# There is insufficient memory for the Java Runtime Environment to continue.`
  static let hotSpotMemory = Headline.Kind("HotSpot out of memory")
}

/// The log that HotSpot writes when it crashes, and the summary that it prints:
///
///     #
///     # A fatal error has been detected by the Java Runtime Environment:
///     #
///     #  SIGSEGV (0xb) at pc=0x00007fcf344d2f94, pid=25167, tid=25168
///     #
///     # JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6-Debian-1deb12u1)
///     # Problematic frame:
///     # V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124
///
///     ---------------  T H R E A D  ---------------
///     …
///     END.
///
/// The sections differ by version and vendor; unknown lines are skipped.
///
/// Source: `VMError::report` of HotSpot, from JDK 6 to 23.
enum HotSpotReader: LogReader {
  static let format = ReportFormat.hotSpot
  static let fileExtension = "log"
  static let beginsDeaths = true

  static let headlines = [
    HeadlineRule(.hotSpotError, "Java Runtime Environment:") { text, mark, lines in
      let line = max(lines.start(of: mark, in: text), mark - FormatLimits.prefixBytes * 2)
      guard let start = text.between(line, mark).find("# A fatal error has been detected by ")
      else {
        return nil
      }
      return Headline.Location(start: line + start, content: line + start + 2)
    },
    // Its first line has no distinctive mark.
    HeadlineRule(.hotSpotMemory, "# Possible reasons:") { text, mark, _ in
      let limit = max(0, mark - 2048)
      let words: StaticString = "# There is insufficient memory for the Java Runtime Environment"
      guard let start = text.between(limit, mark).findLast(words) else { return nil }
      return Headline.Location(
        start: limit + start, content: limit + start, lineEnd: text.find(10, from: limit + start))
    },
  ]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = HotSpotParser(isMemory: section.headline.kind == .hotSpotMemory)
    section.forEachLine(in: text) { parser.take($0) }
    return parser.finished().map { LoggedReport(report: $0) }
  }
}
