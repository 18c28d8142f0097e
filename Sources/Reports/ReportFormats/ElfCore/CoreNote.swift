internal import Bytes
internal import CrashModel

/// One note of a core: its owner, the type that the owner defined, and its content.
///
///     OFFSET  SIZE  FIELD
///          0     4  length of the owner's name, with its NUL
///          4     4  length of the content
///          8     4  type
///         12     n  owner, padded to four bytes
///          m     k  content, padded to four bytes
///
/// Source: System V gABI, chapter 5, "Note Section".
struct CoreNote {
  let owner: String
  let type: CoreNoteType
  let content: ByteView
  /// Whether the bytes end before the note does.
  let isCut: Bool

  /// Hands each note in `bytes` to `body`; the last may be cut off.
  ///
  /// - Parameter alignment: The alignment of names and contents.
  /// - Returns: The number of notes.
  @discardableResult
  static func each(
    in bytes: ByteView, _ numbers: CoreNumbers, alignment: Int = 4, limit: Int,
    _ body: (CoreNote) -> Void
  ) -> Int {
    var offset = 0
    var count = 0
    while count < limit, let nameSize = numbers.number(bytes, at: offset, size: 4),
      let size = numbers.number(bytes, at: offset + 4, size: 4),
      let type = numbers.number(bytes, at: offset + 8, size: 4)
    {
      let name = offset + 12
      let nameEnd = name.addingClamped(Int(nameSize))
      let content = Self.padded(nameEnd, to: alignment)
      guard content <= bytes.count else { break }
      let end = content.addingClamped(Int(size))
      let view = bytes.clamped(content..<end)
      body(
        CoreNote(
          owner: numbers.text(bytes, at: name, size: min(Int(nameSize), 64)) ?? "",
          type: CoreNoteType(rawValue: UInt32(type)), content: view, isCut: end > bytes.count))
      count += 1
      offset = Self.padded(end, to: alignment)
      if offset > bytes.count { break }
    }
    return count
  }

  /// Sums of a position in a file and 32 bits, which 63 bits hold.
  private static func padded(_ value: Int, to alignment: Int) -> Int {
    (value + alignment - 1) & ~(alignment - 1)
  }
}

/// The type of a note, whose meaning depends on its owner.
///
/// Sources: `elf.h` of glibc; FreeBSD, `sys/elf_common.h`; NetBSD, `sys/exec_elf.h`; OpenBSD,
/// `sys/exec_elf.h`.
struct CoreNoteType: Hashable {
  let rawValue: UInt32

  // CORE and LINUX.
  static let threadStatus = Self(rawValue: 1)
  static let processInfo = Self(rawValue: 3)
  static let auxiliaryVector = Self(rawValue: 6)
  static let armPointerMask = Self(rawValue: 0x406)
  static let signalInfo = Self(rawValue: 0x5349_4749)
  static let mappedFiles = Self(rawValue: 0x4649_4c45)
  // FreeBSD.
  static let freeBSDThreadName = Self(rawValue: 7)
  static let freeBSDAuxiliaryVector = Self(rawValue: 16)
  // NetBSD.
  static let netBSDProcess = Self(rawValue: 1)
  static let netBSDAuxiliaryVector = Self(rawValue: 2)
  // OpenBSD.
  static let openBSDProcess = Self(rawValue: 10)
  static let openBSDAuxiliaryVector = Self(rawValue: 11)
  static let openBSDRegisters = Self(rawValue: 20)
  // GNU and FDO, in modules.
  static let buildID = Self(rawValue: 3)
  static let package = Self(rawValue: ImagePackage.noteType)
  /// The kernel's version, in the vDSO.
  static let kernelVersion = Self(rawValue: 0)
}
