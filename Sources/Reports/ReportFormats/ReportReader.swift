internal import Bytes
internal import CrashModel

/// A format of crash reports.
///
/// A reader takes one of two shapes, or both: ``DocumentReader`` where a report is the file,
/// ``LogReader`` where reports stand in the output of programs. Nothing but
/// ``FormatRegistry/builtIn`` names a reader.
protocol ReportReader: Sendable {
  /// The format of the reports that it reads.
  static var format: ReportFormat { get }
  /// The extension of files of this format, without the dot.
  static var fileExtension: String { get }
  /// Its description for people.
  static var about: FormatDescription { get }
  /// The reader itself, if it reads documents: known without a search for the conformance in the whole program,
  /// which each start would pay for.
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
  /// Whether the format is recognised by bytes that no text has. Such a reader gets the file as it
  /// is, before anything else is tried; any other gets it once more as text, if the file has marks,
  /// terminal escapes or HTML escapes that text loses.
  static var isBinary: Bool { get }

  /// Texts with which documents begin, for a document whose lines a logger gave a prefix each.
  static var openings: [StaticString] { get }

  /// Whether `bytes` hold a report of this format, by content alone.
  ///
  /// Looks at a bounded part of the start: `bytes` may be a mapped file of any size.
  static func recognises(_ bytes: ByteView) -> Bool

  /// All reports in `bytes`, in their order.
  ///
  /// Damage costs the part that it touches and leaves a note in the report.
  ///
  /// - Throws: ``ParseError`` when nothing of a report could be read.
  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport]
}

extension DocumentReader {
  static var documentReader: (any DocumentReader.Type)? { self }
  static var isBinary: Bool { false }
  static var openings: [StaticString] { [] }
}

/// A format whose reports stand in the output of programs, after anything and between anything. A
/// log may hold many of them, and reports of other formats too.
protocol LogReader: ReportReader {
  /// How lines are recognised with which a report begins, or which a program prints before it. If
  /// two rules fit a line, the one of the earlier reader in the registry counts.
  static var headlines: [HeadlineRule] { get }

  /// Whether its reports are those of a process that died, whatever was printed before.
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
  /// Where it ends, if the report says so itself: what stands before belongs to it, whatever it
  /// looks like.
  var end: Int?
  /// Where what the program printed last begins, if it belongs to the report: what was read there as a
  /// report of its own, with ``HeadlineRule/Role/lastWords``, becomes this one's exception, or a cause of it.
  var start: Int?
  /// Whether it says why the program ended itself, and the report of that death may follow: that takes it over.
  var isMessage = false
}
