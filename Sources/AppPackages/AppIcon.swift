internal import Bytes

/// Icons as every program shows them.
enum AppIcon {
  static let magic: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10]

  /// A PNG file as it may be shown.
  ///
  /// - Throws: ``ParseError`` for what is not one.
  static func plainPNG(_ bytes: ByteView) throws(ParseError) -> ByteView {
    guard bytes.starts(with: magic) else { throw ParseError(.notRecognised, in: "PNG", at: 0) }
    // Xcode's own form: no other program shows it.
    if bytes.clamped(12..<16).starts(with: "CgBI".utf8) {
      throw ParseError(.unsupported("a PNG file for iOS (CgBI)"), in: "icon", at: 12)
    }
    return bytes
  }
}
