internal import Bytes

/// Notes: what linkers and kernels leave for others to read.
///
///     OFFSET  SIZE  FIELD
///          0     4  length of the name, with its NUL
///          4     4  length of the content
///          8     4  type
///         12     n  name, padded to the alignment
///          m     k  content, padded to the alignment
///
/// The words have four bytes in both classes; the alignment is 4, or 8 where the segment says so.
///
/// Source: System V gABI, chapter 5, "Note Section"; NT_GNU_BUILD_ID in elf.h.
enum ELFNote {
  static let typeBuildID: UInt32 = 3

  /// The build id among the notes in `view`, `nil` when there is none or it is all zeros.
  static func buildID(
    in view: ByteView, endianness: Endianness, alignment: UInt64
  ) -> [UInt8]? {
    let alignment = alignment == 8 ? 8 : 4
    var reader = ByteReader(view.bytes, reading: "ELF notes", endianness: endianness)
    while reader.remaining >= 12 {
      guard let nameSize = try? reader.read(UInt32.self),
        let contentSize = try? reader.read(UInt32.self), let type = try? reader.read(UInt32.self)
      else { return nil }
      let name = reader.position
      let content = padded(name + Int(nameSize), to: alignment)
      let end = content + Int(contentSize)
      guard end <= view.count else { return nil }
      if type == typeBuildID, view.clamped(name..<(name + Int(nameSize))).array == gnu,
        contentSize > 0, contentSize <= ObjectLimits.buildIDBytes
      {
        let id = view.clamped(content..<end).array
        return id.allSatisfy { $0 == 0 } ? nil : id
      }
      guard (try? reader.seek(to: min(padded(end, to: alignment), view.count))) != nil else {
        return nil
      }
    }
    return nil
  }

  /// "GNU" and its NUL.
  private static let gnu: [UInt8] = [0x47, 0x4e, 0x55, 0]

  /// Two 32-bit lengths and a position in a file are added at most, which 63 bits hold.
  private static func padded(_ value: Int, to alignment: Int) -> Int {
    (value + alignment - 1) & ~(alignment - 1)
  }
}
