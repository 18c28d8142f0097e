public import Bytes
public import CrashModel

extension DebugMap {
  /// Where an object file lies: a file, and where that is a library the name of the member.
  public struct Place: Hashable, Sendable {
    public let file: String
    public let member: String?

    /// `lib.a(part.o)` is a member, `part.o` a file.
    public init(_ path: String) {
      guard path.hasSuffix(")"), let open = path.lastIndex(of: "("), open > path.startIndex else {
        file = path
        member = nil
        return
      }
      file = String(path[..<open])
      member = String(path[path.index(after: open)...].dropLast())
    }
  }

  /// The object file in the bytes of a file at its place; `nil` where the bytes are no such file, have
  /// no member of that name, or hold it as it was written at another time.
  ///
  /// - Parameters:
  ///   - bytes: A Mach-O file, a universal file, a library, or a universal file of libraries.
  ///   - architecture: That of the program.
  /// - Complexity: O(n) in the number of members of a library.
  public func objectFile(
    of object: Object, in bytes: ByteView, architecture: Architecture
  ) -> ObjectFile? {
    let place = Place(path(of: object))
    for part in Self.slices(in: bytes) {
      if let member = place.member {
        var found: ObjectFile?
        StaticArchive(part)?.forEachMember { candidate in
          guard candidate.name == member,
            object.modified == 0 || candidate.modified == 0
              || candidate.modified == object.modified
          else { return true }
          found = Self.objectFile(in: candidate.bytes, architecture)
          return found == nil
        }
        if let found { return found }
      } else if let found = Self.objectFile(in: part, architecture) {
        return found
      }
    }
    return nil
  }

  private static func slices(in bytes: ByteView) -> [ByteView] {
    guard FatHeader.isHeader(bytes), let header = try? FatHeader(parsing: bytes) else {
      return [bytes]
    }
    return header.slices.compactMap {
      try? bytes.slice(at: $0.offset, count: $0.size, of: "universal file")
    }
  }

  private static func objectFile(
    in bytes: ByteView, _ architecture: Architecture
  ) -> ObjectFile? {
    guard MachHeader.isHeader(bytes), let file = try? MachOFile(parsing: bytes) else { return nil }
    let object = ObjectFile(file)
    return object.kind == .relocatable && object.architecture == architecture ? object : nil
  }
}
