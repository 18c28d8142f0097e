internal import Bytes

/// Where the functions of a PE file begin and end, by the table that unwinding goes by.
///
/// An export has no size, and what lies between two exports belongs for the most part to functions that
/// are not exported. The x86 has no such table.
///
///     x86-64, 12 bytes an entry       ARM and AArch64, 8 bytes an entry
///     OFFSET  SIZE  FIELD             OFFSET  SIZE  FIELD
///          0     4  start                  0     4  start
///          4     4  end                    4     4  bits 0-1 0: where the unwind data is, whose
///          8     4  unwind data                     bits 0-17 are the length; else packed, and bits
///                                                   2-12 are the length
///
/// Addresses count from the image base; lengths are in instructions, of 4 bytes or, on ARM, 2. An entry
/// of x86-64 whose unwind data is chained to another's is a part of that function; one that follows
/// without a gap is counted to what lies before it.
///
/// Source: Microsoft, "x64 exception handling" and "ARM64 exception handling".
struct PEFunctionBounds {
  /// Sorted by start.
  private let ranges: [Range<UInt32>]

  init(reading file: PEFile) {
    ranges = Self.ranges(file).sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The same as linked addresses; `nil` where there is no table.
  func bounds(from imageBase: UInt64) -> FunctionBounds? {
    guard !ranges.isEmpty else { return nil }
    return FunctionBounds(
      ranges.compactMap { range in
        let start = imageBase.addingReportingOverflow(UInt64(range.lowerBound))
        let end = imageBase.addingReportingOverflow(UInt64(range.upperBound))
        return start.overflow || end.overflow ? nil : start.partialValue..<end.partialValue
      })
  }

  /// The end of the function that holds `address`; `nil` where the table has none.
  func end(of address: UInt32) -> UInt32? {
    let low = ranges.lowerBound { $0.lowerBound <= address }
    guard low > 0, ranges[low - 1].contains(address) else { return nil }
    return ranges[low - 1].upperBound
  }

  private static func ranges(_ file: PEFile) -> [Range<UInt32>] {
    guard let directory = file.header.exceptions, let table = file.loaded(at: directory.address)
    else { return [] }
    let bytes = table.clamped(0..<Int(directory.size))
    switch file.header.machine {
    case 0x8664:
      var ranges: [Range<UInt32>] = []
      for offset in stride(from: 0, to: bytes.count / 12 * 12, by: 12) {
        guard let range = range(bytes.word(at: offset), bytes.word(at: offset + 4)) else {
          continue
        }
        if let last = ranges.last, last.upperBound == range.lowerBound,
          isChained(bytes.word(at: offset + 8), in: file)
        {
          ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
          ranges.append(range)
        }
      }
      return ranges
    case 0x1c4: return packed(bytes, of: file, instruction: 2)
    case 0xaa64, 0xa641, 0xa64e: return packed(bytes, of: file, instruction: 4)
    default: return []
    }
  }

  /// Whether unwind data of x86-64 says that it goes on elsewhere: bit 2 of its flags, which are the
  /// upper five bits of its first byte.
  private static func isChained(_ address: UInt32, in file: PEFile) -> Bool {
    guard let data = file.loaded(at: address), data.count > 0 else { return false }
    return data[0] >> 3 & 4 != 0
  }

  private static func packed(
    _ bytes: ByteView, of file: PEFile, instruction: UInt32
  ) -> [Range<UInt32>] {
    stride(from: 0, to: bytes.count / 8 * 8, by: 8).compactMap { offset in
      // The lowest bit of an address on ARM says Thumb.
      let start = bytes.word(at: offset) & ~1
      let data = bytes.word(at: offset + 4)
      let length: UInt32
      if data & 3 != 0 {
        length = data >> 2 & 0x7FF
      } else {
        guard let unwind = file.loaded(at: data), unwind.count >= 4 else { return nil }
        length = unwind.word(at: 0) & 0x3FFFF
      }
      let end = start.addingReportingOverflow(length * instruction)
      return end.overflow ? nil : range(start, end.partialValue)
    }
  }

  private static func range(_ start: UInt32, _ end: UInt32) -> Range<UInt32>? {
    start < end ? start..<end : nil
  }
}

extension ByteView {
  /// The little-endian number of 4 bytes at `offset`, which must lie in the view.
  fileprivate func word(at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << UInt32(8 * $1) }
  }
}
