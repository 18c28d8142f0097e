/// Zip archives made by hand, so that they can lie.
///
/// Source: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12, 4.3.16.
public struct ZipBuilder {
  private var local: [UInt8] = []
  private var central: [UInt8] = []
  private var count = 0

  public init() {}

  /// Adds a member as it is.
  public mutating func add(_ name: some Collection<UInt8>, _ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    add(Array(name), packed: bytes, method: 0, size: bytes.count, checksum: crc32(bytes))
  }

  /// Adds a member as it is.
  public mutating func add(_ name: String, _ text: String) { add(name.utf8, text.utf8) }

  /// Adds `count` zero bytes, deflated about a thousand to one.
  public mutating func addZeros(_ name: String, count: Int) {
    let (packed, size) = deflatedZeros(atLeast: count)
    add(
      Array(name.utf8), packed: packed, method: 8, size: size,
      checksum: crc32(repeatElement(0, count: size)))
  }

  /// - Parameters:
  ///   - size: The size that the headers announce.
  ///   - flags: The general purpose bits: 1 says encrypted.
  ///   - attributes: The Unix mode, such as 0o120777 for a symbolic link.
  public mutating func add(
    _ name: [UInt8], packed: [UInt8], method: UInt16, size: Int, checksum: UInt32,
    flags: UInt16 = 0, attributes: UInt32 = 0o100644
  ) {
    let offset = local.count
    var fields = little(flags) + little(method) + little(UInt32(0x5821_0000))
    fields += little(checksum) + little(UInt32(packed.count)) + little(UInt32(size))
    fields += little(UInt16(name.count)) + little(UInt16(0))
    local += little(UInt32(0x0403_4b50)) + little(UInt16(20)) + fields + name + packed
    central += little(UInt32(0x0201_4b50)) + little(UInt16(0x0314)) + little(UInt16(20)) + fields
    central += little(UInt16(0)) + little(UInt16(0)) + little(UInt16(0))
    central += little(attributes << 16) + little(UInt32(offset)) + name
    count += 1
  }

  /// The archive.
  public var bytes: [UInt8] {
    local + central + little(UInt32(0x0605_4b50)) + little(UInt16(0)) + little(UInt16(0))
      + little(UInt16(count)) + little(UInt16(count)) + little(UInt32(central.count))
      + little(UInt32(local.count)) + little(UInt16(0))
  }

  private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

/// A deflate stream of one zero and copies of 258 of it, with the fixed codes.
///
/// Source: RFC 1951, sections 3.2.5 and 3.2.6.
private func deflatedZeros(atLeast count: Int) -> (packed: [UInt8], size: Int) {
  var bytes: [UInt8] = []
  var bits: UInt32 = 0
  var width = 0
  /// Huffman codes go in with their first bit first, which is what `code` has been turned into.
  func put(_ code: UInt32, _ length: Int) {
    bits |= code << width
    width += length
    while width >= 8 {
      bytes.append(UInt8(bits & 0xff))
      bits >>= 8
      width -= 8
    }
  }
  put(0b011, 3)  // the last block, fixed codes
  put(0b0000_1100, 8)  // literal 0: 00110000
  let copies = (count + 257) / 258
  for _ in 0..<copies {
    put(0b1010_0011, 8)  // length 258 is symbol 285: 11000101
    put(0, 5)  // distance 1
  }
  put(0, 7)  // end of block
  put(0, 7)
  return (bytes, 1 + copies * 258)
}

private let crcTable: [UInt32] = (0..<256).map { index in
  (0..<8).reduce(UInt32(index)) { value, _ in
    value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1
  }
}

/// The checksum of zip and gzip. Source: RFC 1952, section 8.
public func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 0xff)] ^ $0 >> 8 }
}
