public import Bytes
internal import Crypto

/// The ids of reports: 32 hexadecimal digits that follow from the app, the submission's bytes and
/// the report's position in them, so that the same bytes give the same ids on any machine.
public enum ReportID {
  /// The ids of the first `count` reports in `submission`.
  public static func ids(of submission: ByteView, app: String, count: Int) -> [String] {
    let digest = SHA256.digest(of: submission)
    return (0..<count).map { id(digest: digest, app: app, position: $0) }
  }

  /// The id of the report at `position` in the submission with the SHA-256 `digest`.
  public static func id(digest: [UInt8], app: String, position: Int) -> String {
    let separator: [UInt8] = [0x1f]
    let parts: [[UInt8]] = [
      Array("mayday-report".utf8), Array(app.utf8), digest, Array(String(position).utf8),
    ]
    let text = Array(parts.joined(separator: separator))
    return String(SHA256.hex(of: ByteView(text)).prefix(32))
  }
}
