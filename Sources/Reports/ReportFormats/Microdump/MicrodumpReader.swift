internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A small dump of Breakpad as text in a log of Android.
  static let microdump = ReportFormat("microdump")
}

extension Headline.Kind {
  fileprivate static let microdump = Headline.Kind("microdump")
}

/// The dump that Breakpad prints to the log where it cannot write files: the registers and the stack of the
/// thread that
/// crashed, and the modules.
///
///     -----BEGIN BREAKPAD MICRODUMP-----
///     V PRODUCT:VERSION
///     P PROCESS
///     R SIGNAL NAME ADDRESS
///     O SYSTEM ARCHITECTURE PROCESSORS HARDWARE VERSION
///     G GPU
///     S 0 STACKPOINTER START LENGTH
///     S ADDRESS BYTES
///     C CONTEXT
///     M START OFFSET LENGTH DEBUGID NAME
///     -----END BREAKPAD MICRODUMP-----
///
/// Numbers are hexadecimal. Each line follows the logger's prefix.
///
/// Source: Breakpad, `src/client/linux/microdump_writer/microdump_writer.cc`.
enum MicrodumpReader: LogReader {
  static let format = ReportFormat.microdump
  static let fileExtension = "txt"
  static let headlines = [HeadlineRule(.microdump, "-----BEGIN BREAKPAD MICRODUMP-----")]

  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport? {
    var parser = MicrodumpParser()
    section.forEachLine(in: text) { line in
      parser.take(line)
      return !parser.isWhole
    }
    return parser.isEmpty ? nil : LoggedReport(report: parser.finished())
  }
}
