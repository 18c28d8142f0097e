internal import Bytes
internal import Compression

/// A PNG file as Xcode puts it into apps for iOS: with a chunk `CgBI` before all others, blue before red,
/// premultiplied alpha, and a deflate stream without zlib's header and checksum.
///
/// A file is chunks: length of the data, four letters, data, CRC-32 of letters and data; big-endian.
///
/// Source: PNG Specification, second edition; Xcode's variant as documented by `pngcrush
/// -revert-iphone-optimizations`.
struct XcodePNG {
  private let width: Int
  private let height: Int
  private let data: [UInt8]

  private static let structure = "PNG for iOS"
  /// Red, green, blue and alpha.
  private static let pixelBytes = 4

  /// - Throws: ``ParseError`` for damage, pixels of other than four bytes, and at the limits.
  init(parsing bytes: ByteView) throws(ParseError) {
    var reader = ByteReader(bytes.bytes, reading: "PNG for iOS", endianness: .big)
    try reader.skip(8)
    var size: (width: Int, height: Int)?
    var data: [UInt8] = []
    while reader.remaining >= 12 {
      let length: UInt32 = try reader.read()
      let kind = try reader.readBytes(4).text
      let start = reader.position
      try reader.skip(Int(length))
      let chunk = bytes.clamped(start..<reader.position)
      try reader.skip(4)
      switch kind {
      case "IHDR": size = try Self.header(chunk)
      case "IDAT": data += chunk.array
      default: break
      }
    }
    guard let size else { throw ParseError(.invalid("no header"), in: Self.structure, at: 8) }
    (width, height) = size
    let unpacked = height * (1 + width * Self.pixelBytes)
    do throws(CompressionError) {
      self.data = try Deflate.decompress(
        ByteView(data), size: UInt64(unpacked), limit: unpacked
      ).array
    } catch {
      throw ParseError(.invalid(error.description), in: Self.structure, at: 8)
    }
  }

  /// Width and height. The rest must be what Xcode writes for icons: 8 bits, colour with alpha, no
  /// interlacing.
  private static func header(_ chunk: ByteView) throws(ParseError) -> (width: Int, height: Int) {
    var reader = ByteReader(chunk.bytes, reading: "PNG for iOS", endianness: .big, base: 8)
    let width: UInt32 = try reader.read()
    let height: UInt32 = try reader.read()
    let most = UInt32(AppPackageLimits.iconPixels)
    guard (1...most).contains(width), (1...most).contains(height) else {
      throw reader.error(.invalid("\(width) by \(height) pixels"))
    }
    for wanted in [8, 6, 0, 0, 0] as [UInt8] {
      let found: UInt8 = try reader.read()
      guard found == wanted else {
        throw reader.error(.unsupported("a form of pixels other than 8-bit RGBA"))
      }
    }
    return (Int(width), Int(height))
  }

  /// The picture as a regular PNG file, its rows neither filtered nor compressed.
  func plain() throws(ParseError) -> ByteView {
    let row = width * Self.pixelBytes
    var rows: [UInt8] = []
    rows.reserveCapacity(data.count)
    var former = [UInt8](repeating: 0, count: row)
    for line in 0..<height {
      let start = line * (row + 1)
      var current = Array(data[(start + 1)..<(start + 1 + row)])
      try Self.unfilter(&current, by: data[start], above: former)
      former = current
      rows.append(0)
      for pixel in stride(from: 0, to: row, by: Self.pixelBytes) {
        let opacity = Int(current[pixel + 3])
        for index in [2, 1, 0] {
          let value = Int(current[pixel + index])
          rows.append(
            opacity == 0 ? 0 : UInt8(clamping: (value * 255 + opacity / 2) / opacity))
        }
        rows.append(current[pixel + 3])
      }
    }
    var file = AppIcon.magic
    file += Self.chunk("IHDR", Self.big(width) + Self.big(height) + [8, 6, 0, 0, 0])
    file += Self.chunk("IDAT", Self.zlib(rows))
    file += Self.chunk("IEND", [])
    return ByteView(file)
  }

  /// Reverses the filter of a row.
  ///
  /// Source: PNG Specification, section 9.2.
  private static func unfilter(
    _ row: inout [UInt8], by filter: UInt8, above: [UInt8]
  ) throws(ParseError) {
    for index in row.indices {
      let left = index >= pixelBytes ? row[index - pixelBytes] : 0
      let up = above[index]
      let corner = index >= pixelBytes ? above[index - pixelBytes] : 0
      switch filter {
      case 0: return
      case 1: row[index] &+= left
      case 2: row[index] &+= up
      case 3: row[index] &+= UInt8((Int(left) + Int(up)) / 2)
      case 4: row[index] &+= nearest(left, up, corner)
      default: throw ParseError(.invalid("the filter \(filter)"), in: structure, at: 8)
      }
    }
  }

  /// The one of three neighbours nearest to left + up - corner (Paeth).
  private static func nearest(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
    let guess = Int(left) + Int(up) - Int(corner)
    let distances = (
      abs(guess - Int(left)), abs(guess - Int(up)), abs(guess - Int(corner))
    )
    if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? up : corner
  }

  private static func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + data
    return big(data.count) + body + big(Int(CRC32.checksum(of: ByteView(body))))
  }

  /// Wraps bytes in the zlib format, in stored blocks.
  ///
  /// Source: RFC 1950; RFC 1951, section 3.2.4.
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 1]
    var sums: (low: UInt32, high: UInt32) = (1, 0)
    for start in stride(from: 0, to: bytes.count, by: 0xffff) {
      let block = bytes[start..<min(bytes.count, start + 0xffff)]
      let count = UInt16(block.count)
      stream.append(block.endIndex == bytes.count ? 1 : 0)
      for number in [count, ~count] { stream += [UInt8(number & 0xff), UInt8(number >> 8)] }
      stream += block
      for byte in block {
        sums.low = (sums.low + UInt32(byte)) % 65521
        sums.high = (sums.high + sums.low) % 65521
      }
    }
    return stream + big(Int(sums.high << 16 | sums.low))
  }
}
