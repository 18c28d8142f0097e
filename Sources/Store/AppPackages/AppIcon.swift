internal import Bytes

/// Icons in a form that every program shows.
enum AppIcon {
  static let magic: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10]

  /// Returns a PNG file that any program can show.
  ///
  /// - Throws: ``ParseError`` for bytes that are not one.
  static func plainPNG(_ bytes: ByteView) throws(ParseError) -> ByteView {
    guard bytes.starts(with: magic) else { throw ParseError(.notRecognised, in: "PNG", at: 0) }
    // Xcode's own variant, which no other program shows.
    guard bytes.clamped(12..<16).starts(with: "CgBI".utf8) else { return bytes }
    return try XcodePNG(parsing: bytes).plain()
  }

  /// The largest PNG file in a macOS icon family: "icns", the total size, and then for each picture four
  /// letters, its size including these eight bytes, and the picture.
  ///
  /// Source: Apple, icon families (IconFamilyResource in IconStorage.h).
  static func largestPNG(inFamily bytes: ByteView) throws(ParseError) -> ByteView? {
    var reader = ByteReader(bytes.bytes, reading: "icon family", endianness: .big)
    try reader.expect(UInt32(0x6963_6e73))
    try reader.skip(4)
    var largest: ByteView?
    while reader.remaining >= 8 {
      try reader.skip(4)
      let size: UInt32 = try reader.read()
      guard size >= 8, Int(size) - 8 <= reader.remaining else {
        throw reader.error(.invalid("a picture of \(size) bytes"))
      }
      let picture = bytes.clamped(reader.position..<(reader.position + Int(size) - 8))
      try reader.skip(Int(size) - 8)
      if picture.starts(with: magic), picture.count <= AppPackageLimits.iconBytes,
        picture.count > largest?.count ?? 0
      {
        largest = picture
      }
    }
    return largest
  }
}
