internal import Bytes
internal import CrashModel

extension ReportFormat {
  /// A dump of Windows, Breakpad, Crashpad and their kin.
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

  static func recognises(_ bytes: ByteView) -> Bool { MinidumpFile.recognises(bytes) }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let file = try MinidumpFile(bytes)
    guard let stream = file[.systemInfo] else {
      throw ParseError(
        .invalid("there is no stream that names the system"), in: "minidump", at: 12)
    }
    var draft = MinidumpDraft(file, try MinidumpSystem(stream, in: file))
    draft.readModules()
    draft.readException()
    draft.readThreads()
    draft.readProcess()
    draft.readAnnotations()
    return [draft.finished()]
  }
}
