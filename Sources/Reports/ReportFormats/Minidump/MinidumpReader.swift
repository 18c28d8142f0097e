internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A dump of Windows, Breakpad, Crashpad and similar writers.
  static let minidump = ReportFormat("minidump")
}

/// A minidump: its threads come with registers and the memory of their stacks, which are walked when the
/// report is symbolicated.
///
/// Sources: minidumpapiset.h of the Windows SDK; Breakpad, `src/google_breakpad/common/minidump_format.h`;
/// Crashpad, `minidump/minidump_extensions.h`.
enum MinidumpReader: DocumentReader {
  static let format = ReportFormat.minidump
  static let fileExtension = "dmp"
  static let isBinary = true

  static func recognises(_ bytes: ByteView) -> Bool {
    MinidumpFile.recognises(bytes) || MinidumpForm.recognises(bytes)
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    MinidumpFile.recognises(bytes)
      ? [try MinidumpParser.report(of: bytes)] : try MinidumpForm.reports(in: bytes)
  }
}
