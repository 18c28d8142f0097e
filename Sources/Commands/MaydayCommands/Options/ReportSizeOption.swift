import Arguments
import CrashService
import CrashStore

/// Limits of `--max-report` for commands that store reports.
enum ReportSizeOption {
  static let most = CrashStore.contentLimit

  static func check(_ size: ByteSize) throws(UsageError) {
    guard (1...most).contains(size.bytes) else {
      throw UsageError("--max-report is 1 byte to 16GiB")
    }
  }
}
