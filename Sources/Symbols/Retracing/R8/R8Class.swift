internal import Bytes

/// A class of a mapping with its methods, prepared for look-ups.
final class R8Class: Sendable {
  /// A line of a method, or of a part of one.
  struct Member: Sendable {
    let nameHash: UInt64
    /// The offset of its line.
    let start: Int
    let length: Int32
    /// The position among the methods' lines of the class: adjacent ones form one chain of inlined calls.
    let order: Int32
    /// The first of the lines that the app prints; -1 where the mapping gives none.
    let first: Int32
    let last: Int32
    /// The largest last line of the members of this name up to this one.
    var reach: Int32
    /// The index of its notes; -1 for most.
    var notes: Int32

    var line: Range<Int> { start..<start + Int(length) }
    var hasLines: Bool { first >= 0 }
  }

  /// The longest line that is read, in bytes. A name and 255 types of 65,535 bytes would be longer, but do
  /// not occur.
  private static let mostLineBytes = 1 << 20
  /// The most lines of a class that are read. A class has at most 65,535 methods.
  static let mostMembers = 1 << 20

  let original: String
  let sourceFile: String?
  /// By name, those without lines first, then by their first line.
  let members: [Member]
  let notes: [[R8Note]]
  let isCut: Bool

  /// - Parameter start: The offset of the class's line.
  /// - Complexity: O(n log n) in the lines of the class.
  init?(at start: Int, in mapping: ByteView, seed: UInt64) {
    let bytes = mapping.bytes
    var lines = R8Lines(start..<bytes.byteCount)
    guard let head = lines.next(in: bytes), let names = R8ClassLine(head, in: bytes) else {
      return nil
    }
    original = bytes.string(names.original)
    var members: [Member] = []
    var notes: [[R8Note]] = []
    var sourceFile: String?
    var isCut = false
    while let line = lines.next(in: bytes) {
      guard let first = line.first, line.count <= Self.mostLineBytes else { continue }
      if bytes.byte(first) == UInt8(ascii: "#") {
        guard let note = R8Note(line, in: mapping) else { continue }
        if case .sourceFile(let name) = note {
          if sourceFile == nil { sourceFile = name }
        } else if let last = members.indices.last {
          if members[last].notes < 0 {
            members[last].notes = Int32(notes.count)
            notes.append([])
          }
          notes[Int(members[last].notes)].append(note)
        }
        continue
      }
      if !lines.isIndented, R8ClassLine(line, in: bytes) != nil { break }
      guard let member = R8MemberLine(line, in: bytes) else { continue }
      guard members.count < Self.mostMembers else {
        isCut = true
        break
      }
      let name = member.obfuscated
      members.append(
        Member(
          nameHash: bytes.contentHash(from: name.lowerBound, count: name.count, seed: seed),
          start: line.lowerBound, length: Int32(line.count), order: Int32(members.count),
          first: member.printed.map { Int32($0.lowerBound) } ?? -1,
          last: member.printed.map { Int32($0.upperBound) } ?? -1, reach: -1, notes: -1))
    }
    members.sort { ($0.nameHash, $0.first, $0.order) < ($1.nameHash, $1.first, $1.order) }
    for index in members.indices {
      let before =
        index > 0 && members[index - 1].nameHash == members[index].nameHash
        ? members[index - 1].reach : -1
      members[index].reach = max(members[index].last, before)
    }
    self.members = members
    self.notes = notes
    self.sourceFile = sourceFile
    self.isCut = isCut
  }

  /// The indexes of the members of a name.
  func members(withHash hash: UInt64) -> Range<Int> {
    let first = members.lowerBound { $0.nameHash < hash }
    let count = members[first...].lowerBound { $0.nameHash == hash }
    return first..<count
  }

  func notes(of member: Member) -> [R8Note] {
    member.notes < 0 ? [] : notes[Int(member.notes)]
  }
}
