/// An .xz stream that stores its data as it is.
///
/// Source: The .xz File Format 1.1.0.
public enum ObjectBuilderXZ {
  public static func stored(_ data: [UInt8]) -> [UInt8] {
    let flags: [UInt8] = [0, 0]
    var file: [UInt8] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] + flags + little(checksum(flags))
    // One filter, LZMA2, with a dictionary of 64 KiB.
    let header: [UInt8] = [2, 0, 0x21, 1, 8, 0, 0, 0]
    var block = header + little(checksum(header))
    var isFirst = true
    for start in stride(from: 0, to: data.count, by: 1 << 16) {
      let chunk = data[start..<min(start + 1 << 16, data.count)]
      block += [isFirst ? 1 : 2, UInt8((chunk.count - 1) >> 8), UInt8((chunk.count - 1) & 255)]
      block += chunk
      isFirst = false
    }
    block.append(0)
    let size = block.count
    while !block.count.isMultiple(of: 4) { block.append(0) }
    file += block
    var index: [UInt8] = [0, 1] + variable(size) + variable(data.count)
    while !index.count.isMultiple(of: 4) { index.append(0) }
    index += little(checksum(index))
    let footer = little(UInt32(index.count / 4 - 1)) + flags
    return file + index + little(checksum(footer)) + footer + [0x59, 0x5a]
  }

  private static func variable(_ value: Int) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 128 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// CRC-32 of zlib, bit by bit.
  public static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ ((value & 1) * 0xedb8_8320) }
    }
  }
}
