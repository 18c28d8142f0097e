/// Bytes of debug information, put together by hand.
public struct DWARFBytes: Sendable {
  public private(set) var bytes: [UInt8] = []
  public let isBigEndian: Bool

  public init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  public var count: Int { bytes.count }

  public mutating func put(_ value: UInt8...) { bytes += value }
  public mutating func put(_ values: [UInt8]) { bytes += values }

  public mutating func number(_ value: UInt64, size: Int) {
    for index in 0..<size {
      let byte = isBigEndian ? size - 1 - index : index
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(byte * 8)))
    }
  }

  public mutating func u16(_ value: UInt64) { number(value, size: 2) }
  public mutating func u32(_ value: UInt64) { number(value, size: 4) }
  public mutating func u64(_ value: UInt64) { number(value, size: 8) }

  public mutating func uleb(_ value: UInt64) {
    var value = value
    repeat {
      bytes.append(UInt8(value & 0x7f) | (value > 0x7f ? 0x80 : 0))
      value >>= 7
    } while value > 0
  }

  public mutating func sleb(_ value: Int64) {
    var value = value
    while true {
      let byte = UInt8(truncatingIfNeeded: value & 0x7f)
      value >>= 7
      let isLast = value == 0 && byte & 0x40 == 0 || value == -1 && byte & 0x40 != 0
      bytes.append(isLast ? byte : byte | 0x80)
      if isLast { return }
    }
  }

  public mutating func text(_ text: String) { bytes += Array(text.utf8) + [0] }

  /// Writes what `body` makes after its length, which is in the 64-bit form if `isWide`.
  public mutating func unit(isWide: Bool = false, _ body: (inout DWARFBytes) -> Void) {
    var inner = DWARFBytes(isBigEndian: isBigEndian)
    body(&inner)
    if isWide {
      u32(0xffff_ffff)
      u64(UInt64(inner.count))
    } else {
      u32(UInt64(inner.count))
    }
    bytes += inner.bytes
  }

  /// An abbreviation: its attributes are pairs of name and form.
  public mutating func abbreviation(
    _ code: UInt64, tag: UInt64, children: Bool, _ attributes: [(UInt64, UInt64)]
  ) {
    uleb(code)
    uleb(tag)
    put(children ? 1 : 0)
    for (name, form) in attributes {
      uleb(name)
      uleb(form)
    }
    put(0, 0)
  }
}
