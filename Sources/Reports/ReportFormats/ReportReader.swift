internal import Bytes
internal import CrashModel

/// A format of crash reports.
///
/// A reader conforms to one of two protocols, or both: ``DocumentReader`` if a report is the file,
/// ``LogReader`` if reports are in the output of programs. Only ``FormatRegistry/builtIn`` names readers.
protocol ReportReader: Sendable {
  /// The format of the reports that it reads.
  static var format: ReportFormat { get }
  /// The extension of files of this format, without the dot.
  static var fileExtension: String { get }
  /// Its description for users.
  static var about: FormatDescription { get }
  /// The reader itself, if it reads documents: declared explicitly, as each start would otherwise search the
  /// whole program for the conformance.
  static var documentReader: (any DocumentReader.Type)? { get }
  /// The reader itself, if it reads logs.
  static var logReader: (any LogReader.Type)? { get }
}

extension ReportReader {
  static var documentReader: (any DocumentReader.Type)? { nil }
  static var logReader: (any LogReader.Type)? { nil }
}

/// A format whose reports begin with the file.
protocol DocumentReader: ReportReader {
  /// Whether the format is recognised by bytes that no text has. Such a reader gets the unchanged file,
  /// before anything else is tried; any other also gets it as cleaned text, if the file has byte-order marks,
  /// terminal escapes or HTML escapes.
  static var isBinary: Bool { get }

  /// Texts with which documents begin, for a document with a logger's prefix on each line.
  static var openings: [StaticString] { get }

  /// Whether `bytes` hold a report of this format, by content alone.
  ///
  /// Reads a bounded part of the start: `bytes` may be a mapped file of any size.
  static func recognises(_ bytes: ByteView) -> Bool

  /// All reports in `bytes`, in their order.
  ///
  /// Damage loses the part that it affects and adds a note to the report.
  ///
  /// - Throws: ``ParseError`` when nothing of a report could be read.
  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport]
}

extension DocumentReader {
  static var documentReader: (any DocumentReader.Type)? { self }
  static var isBinary: Bool { false }
  static var openings: [StaticString] { [] }
}

/// A format whose reports are in the output of programs, surrounded by any text. A log may hold many of them,
/// and reports of other formats too.
protocol LogReader: ReportReader {
  /// The rules that recognise the first line of a report, or a line printed before it. If two rules match a
  /// line, the one of the earlier reader in the registry counts.
  static var headlines: [HeadlineRule] { get }

  /// Whether its reports are about the end of a process, whatever was printed before.
  static var beginsDeaths: Bool { get }

  /// The report of `section`, whose headline is one of ``headlines``; `nil` when it is not a report
  /// after all.
  static func report(of section: ReportSection, in text: RawSpan) -> LoggedReport?
}

extension LogReader {
  static var logReader: (any LogReader.Type)? { self }
  static var beginsDeaths: Bool { false }
}

/// A report in a log.
struct LoggedReport {
  var report: CrashReport
  /// Its end, if the report defines it: the text before belongs to it, whatever it looks like.
  var end: Int?
  /// The start of the program's last output, if it belongs to the report: a separate report read there, with
  /// ``HeadlineRule/Role/lastWords``, becomes this one's exception, or a cause of it.
  var start: Int?
  /// Whether it gives the reason why the program ended itself; the report of its end, if one follows, takes
  /// it over.
  var isMessage = false
}
