internal import Bytes
public import CrashModel
internal import Crypto

extension NormalisedStack {
  /// The stack's id: 16 hexadecimal digits that are the same for the same calls, classes and type. Reports
  /// of a group with different ids are its variants.
  ///
  /// It is the first 8 bytes of the SHA-256 over the type and the calls, each terminated by a byte 0x1F,
  /// which no token contains.
  public var variant: String {
    var bytes = Array((type ?? "").utf8)
    bytes.append(0x1F)
    for call in calls {
      bytes.append(contentsOf: call.frameClass.rawValue.utf8)
      bytes.append(0x20)
      bytes.append(contentsOf: call.token.utf8)
      bytes.append(0x1F)
    }
    return SHA256.hex(Array(SHA256.digest(of: unsafe bytes.span.bytes).prefix(8)))
  }
}
