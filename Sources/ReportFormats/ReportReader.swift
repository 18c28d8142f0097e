internal import Bytes
internal import CrashModel

/// One format: tells its reports by their content and reads them.
protocol ReportReader {
  /// Whether `bytes` hold a report of this format, by content alone.
  ///
  /// Looks at a bounded part of the start, unless the format may stand behind other output.
  static func recognises(_ bytes: ByteView) -> Bool

  /// All reports in `bytes`, in their order.
  ///
  /// Damage costs the part that it touches and leaves a note in the report.
  ///
  /// - Throws: ``ParseError`` when nothing of a report could be read.
  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport]
}
