internal import Bytes
internal import Hashing

/// Names of submissions and reports, which follow from their bytes alone.
public enum ReportIdentity {
  /// The id of the report at `index` in the submission with `digest`: 32 hexadecimal digits.
  ///
  /// - Parameter digest: The SHA-256 of the submission, in hexadecimal.
  public static func id(submission digest: String, index: Int) -> String {
    // The first report of a file shares its digest's beginning, so that either finds the other.
    guard index > 0 else { return String(digest.prefix(32)) }
    let name = ByteView("\(digest)#\(index)".utf8)
    return String(SHA256.hex(of: name).prefix(32))
  }
}
