import Arguments
import CrashService
import CrashStore

/// What `--max-report` may be where reports are stored.
enum ReportSizeOption {
  static let most = CrashStore.contentLimit

  static func check(_ size: ByteSize) throws(UsageError) {
    guard (1...most).contains(size.bytes) else {
      throw UsageError("--max-report is 1 byte to 16GiB")
    }
  }
}
