internal import Bytes
internal import CrashModel

/// Reads Apple's reports.
enum AppleCrashReader: ReportReader {
  static func recognises(_ bytes: ByteView) -> Bool { false }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    throw ParseError(.notRecognised, in: "Apple report", at: 0)
  }
}
