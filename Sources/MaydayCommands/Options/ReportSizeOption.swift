import Arguments
import CrashService

/// What `--max-report` may be where reports are stored.
enum ReportSizeOption {
  /// As much as a backup can hold of one content.
  static let most = 4 << 30

  static func check(_ size: ByteSize) throws(UsageError) {
    guard (1...most).contains(size.bytes) else {
      throw UsageError("--max-report is 1 byte to 4GiB")
    }
  }
}
