internal import Bytes

/// The size that a picture claims, read from its header without decoding it.
///
/// A few bytes can claim to be a picture of gigabytes, and a browser would allocate them.
///
/// Sources: PNG specification, 11.2.2; ITU T.81, B.2.2; GIF89a, 18 to 20; WebP container, RFC 9649, 2.5 to 2.7.
struct PictureSize: Equatable {
  /// The type of the picture according to its first bytes: `image/png`.
  let type: String
  let width: Int
  let height: Int
  /// The pixels of all frames of an animation together.
  let pixels: Int

  /// The maximum width and height of a picture that a page shows.
  private static let longestSide = 12_000
  /// The maximum number of pixels, of all frames of an animation together.
  private static let mostPixels = 100_000_000

  /// Whether a page may show it.
  var isShown: Bool {
    (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height)
      && pixels <= Self.mostPixels
  }

  /// `nil` if the bytes are not such a picture, or end before its size.
  init?(_ bytes: ByteView) {
    guard let found = Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes) ?? Self.webP(bytes)
    else { return nil }
    self = found
  }

  private init(_ type: String, _ width: Int, _ height: Int, pixels: Int? = nil) {
    self.type = type
    self.width = width
    self.height = height
    // A PNG may claim sides of 32 bits.
    let (product, isTooLarge) = width.multipliedReportingOverflow(by: height)
    self.pixels = pixels ?? (isTooLarge ? .max : product)
  }

  /// A little-endian number of `count` bytes; `nil` past the end.
  private static func little(_ bytes: ByteView, _ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private static func big(_ bytes: ByteView, _ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset + count <= bytes.count else { return nil }
    return (0..<count).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
  }

  private static func png(_ bytes: ByteView) -> PictureSize? {
    guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      big(bytes, 12, 4) == 0x4948_4452, let width = big(bytes, 16, 4),
      let height = big(bytes, 20, 4)
    else { return nil }
    return PictureSize("image/png", width, height)
  }

  private static func gif(_ bytes: ByteView) -> PictureSize? {
    guard bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)),
      var width = little(bytes, 6, 2), var height = little(bytes, 8, 2), bytes.count > 12
    else { return nil }
    func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    func afterBlocks(_ start: Int) -> Int {
      var offset = start
      while offset < bytes.count, bytes[offset] != 0 { offset += Int(bytes[offset]) + 1 }
      return offset + 1
    }
    var offset = 13 + table(bytes[10])
    var pixels = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x21: offset = afterBlocks(offset + 2)
      case 0x2c:
        guard let left = little(bytes, offset + 1, 2), let top = little(bytes, offset + 3, 2),
          let wide = little(bytes, offset + 5, 2), let high = little(bytes, offset + 7, 2),
          offset + 9 < bytes.count
        else { return PictureSize("image/gif", width, height, pixels: max(pixels, width * height)) }
        // A frame of an animation may extend beyond the size in the header.
        width = max(width, left + wide)
        height = max(height, top + high)
        pixels += wide * high
        offset = afterBlocks(offset + 10 + table(bytes[offset + 9]) + 1)
      default: offset = bytes.count
      }
    }
    return PictureSize("image/gif", width, height, pixels: max(pixels, width * height))
  }

  private static func jpeg(_ bytes: ByteView) -> PictureSize? {
    guard bytes.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
    var offset = 2
    while offset + 4 <= bytes.count {
      guard bytes[offset] == 0xff else { return nil }
      let marker = bytes[offset + 1]
      switch marker {
      case 0xff: offset += 1
      case 0x01, 0xd0...0xd8: offset += 2
      case 0xd9, 0xda: return nil
      case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
        guard let height = big(bytes, offset + 5, 2), let width = big(bytes, offset + 7, 2) else {
          return nil
        }
        return PictureSize("image/jpeg", width, height)
      default:
        guard let length = big(bytes, offset + 2, 2), length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }

  private static func webP(_ bytes: ByteView) -> PictureSize? {
    guard bytes.starts(with: Array("RIFF".utf8)), bytes.count >= 30,
      bytes.clamped(8..<12).starts(with: Array("WEBP".utf8))
    else { return nil }
    let kind = bytes.clamped(12..<16)
    if kind.starts(with: Array("VP8X".utf8)), let width = little(bytes, 24, 3),
      let height = little(bytes, 27, 3)
    {
      return PictureSize("image/webp", width + 1, height + 1)
    }
    if kind.starts(with: Array("VP8L".utf8)), bytes[20] == 0x2f, let sizes = little(bytes, 21, 4) {
      return PictureSize("image/webp", (sizes & 0x3fff) + 1, ((sizes >> 14) & 0x3fff) + 1)
    }
    if kind.starts(with: Array("VP8 ".utf8)), big(bytes, 23, 3) == 0x9d012a,
      let width = little(bytes, 26, 2), let height = little(bytes, 28, 2)
    {
      return PictureSize("image/webp", width & 0x3fff, height & 0x3fff)
    }
    return nil
  }
}
