internal import Bytes
internal import ReportFormats
internal import Scrubbing

/// Overwrites matches of rules in the texts of a dump without moving anything: `/home/jo/lib` becomes
/// `/home/xx/lib`.
struct DumpTextMask {
  let scrubber: Scrubber

  /// Returns the bytes of a text without matches of the rules; `nil` if there are none.
  func masked(_ text: DumpLayout.Text, in file: ByteView) -> [UInt8]? {
    let bytes = file.clamped(text.range)
    switch text.encoding {
    case .utf8: return masked(bytes.array, name: text.name)
    case .utf16: return masked(wide: bytes.array, low: 0)
    case .utf16BigEndian: return masked(wide: bytes.array, low: 1)
    }
  }

  /// Returns bytes of memory that were read as text without matches of the rules; `nil` if there are none.
  func masked(_ bytes: [UInt8]) -> [UInt8]? { masked(bytes, name: nil) }

  private func masked(_ bytes: [UInt8], name: String?) -> [UInt8]? {
    var bytes = bytes
    if let name, scrubber.rules.isSecret(name) {
      let isChanged = bytes.contains { $0 != 0 && $0 != Self.mask }
      for index in bytes.indices where bytes[index] != 0 { bytes[index] = Self.mask }
      return isChanged ? bytes : nil
    }
    let finds = scrubber.finds(in: ByteView(bytes))
    for find in finds {
      for index in find.range { bytes[index] = Self.mask }
    }
    return finds.isEmpty ? nil : bytes
  }

  /// - Parameter low: The index of the lower of a unit's two bytes.
  private func masked(wide bytes: [UInt8], low: Int) -> [UInt8]? {
    var text: [UInt8] = []
    // The unit that each byte of the text comes from.
    var units: [Int] = []
    var codec = UTF16()
    var values = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + 1 - low]) << 8
    }.makeIterator()
    var unit = 0
    decoding: while true {
      switch codec.decode(&values) {
      case .scalarValue(let scalar):
        let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        text += encoded
        units += repeatElement(unit, count: encoded.count)
        unit += scalar.value > 0xffff ? 2 : 1
      case .error: unit += 1
      case .emptyInput: break decoding
      }
    }
    let finds = scrubber.finds(in: ByteView(text))
    if finds.isEmpty { return nil }
    var result = bytes
    for find in finds {
      let last = find.range.upperBound < units.count ? units[find.range.upperBound] : unit
      for index in units[find.range.lowerBound]..<last {
        result[index * 2 + low] = Self.mask
        result[index * 2 + 1 - low] = 0
      }
    }
    return result
  }

  private static let mask = UInt8(ascii: "x")
}
