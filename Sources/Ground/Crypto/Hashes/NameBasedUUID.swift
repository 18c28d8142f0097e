public import Bytes

/// UUIDs that follow from a name within a namespace: version 5, of SHA-1.
///
/// Source: RFC 9562, section 5.5.
public enum NameBasedUUID {
  /// The namespace of domain names.
  ///
  /// Source: RFC 9562, section 6.6.
  public static let domains: [UInt8] = [
    0x6B, 0xA7, 0xB8, 0x10, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
  ]

  /// The sixteen bytes of the UUID.
  ///
  /// - Parameter namespace: The sixteen bytes of a UUID.
  /// - Complexity: O(n) in the length of the name.
  public static func uuid(of name: ByteView, in namespace: [UInt8]) -> [UInt8] {
    var hash = SHA1()
    hash.update(ByteView(namespace))
    hash.update(name)
    var uuid = Array(hash.finish().prefix(16))
    uuid[6] = uuid[6] & 0x0F | 0x50
    uuid[8] = uuid[8] & 0x3F | 0x80
    return uuid
  }

  /// The sixteen bytes of the UUID of a text, in UTF-8.
  public static func uuid(of name: String, in namespace: [UInt8]) -> [UInt8] {
    uuid(of: ByteView(name.utf8), in: namespace)
  }
}
