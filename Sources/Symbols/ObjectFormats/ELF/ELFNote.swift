internal import Bytes
internal import CrashModel

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
struct ELFNote {
  /// Its number and its owner, with the NUL after that.
  private let type: UInt32
  private let owner: [UInt8]
  /// The most bytes of content.
  private let limit: Int

  static let buildID = ELFNote(
    type: 3, owner: Array("GNU\0".utf8), limit: ObjectLimits.buildIDBytes)
  static let package = ELFNote(
    type: ImagePackage.noteType, owner: Array("FDO\0".utf8), limit: ObjectLimits.packageBytes)

  /// The content of the first such note in `view`.
  func content(in view: ByteView, endianness: Endianness, alignment: UInt64) -> ByteView? {
    let alignment = alignment == 8 ? 8 : 4
    var reader = ByteReader(view.bytes, reading: "ELF notes", endianness: endianness)
    while reader.remaining >= 12 {
      guard let nameSize = try? reader.read(UInt32.self),
        let contentSize = try? reader.read(UInt32.self), let type = try? reader.read(UInt32.self)
      else { return nil }
      let name = reader.position
      let content = Self.padded(name + Int(nameSize), to: alignment)
      let end = content + Int(contentSize)
      guard end <= view.count else { return nil }
      if type == self.type, contentSize > 0, contentSize <= limit,
        view.clamped(name..<(name + Int(nameSize))).array == owner
      {
        return view.clamped(content..<end)
      }
      guard (try? reader.seek(to: min(Self.padded(end, to: alignment), view.count))) != nil else {
        return nil
      }
    }
    return nil
  }

  /// Two 32-bit lengths and a position in a file are added at most, which 63 bits hold.
  private static func padded(_ value: Int, to alignment: Int) -> Int {
    (value + alignment - 1) & ~(alignment - 1)
  }
}
