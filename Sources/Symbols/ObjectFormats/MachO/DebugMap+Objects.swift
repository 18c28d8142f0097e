public import Bytes
public import Identifiers

extension DebugMap {
  /// Where an object file lies: a file, and where that is a library the name of the member.
  public struct ObjectLocation: Hashable, Sendable {
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

  /// The object files in the bytes of a file: of a library its members, which are listed once
  /// however often they are asked for.
  public struct ObjectFiles: Sendable {
    private let architecture: Architecture
    private let slices: [ByteView]
    /// The members by name; of a slice that is not a library `nil`.
    private let members: [[String: [StaticArchive.Member]]?]

    /// - Parameters:
    ///   - bytes: A Mach-O file, a universal file, a library, or a universal file of libraries.
    ///   - architecture: That of the program.
    /// - Complexity: O(n) in the number of members.
    public init(_ bytes: ByteView, architecture: Architecture) {
      self.architecture = architecture
      slices = Self.slices(in: bytes)
      members = slices.map { slice in
        guard let library = StaticArchive(slice) else { return nil }
        var members: [String: [StaticArchive.Member]] = [:]
        library.forEachMember {
          members[$0.name, default: []].append($0)
          return true
        }
        return members
      }
    }

    /// The object file itself, or the member that is named; `nil` where the bytes are not such a
    /// file, have no member of that name, or hold it as it was written at another time.
    ///
    /// - Parameter modified: When it must have been written last, in seconds since 1970; 0 for any
    ///   time.
    public func objectFile(member: String?, modified: UInt64) -> ObjectFile? {
      for (slice, members) in zip(slices, members) {
        guard let member else {
          if let found = object(in: slice) { return found }
          continue
        }
        for candidate in members?[member] ?? []
        where modified == 0 || candidate.modified == 0 || candidate.modified == modified {
          if let found = object(in: candidate.bytes) { return found }
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

    private func object(in bytes: ByteView) -> ObjectFile? {
      guard MachHeader.isHeader(bytes), let file = try? MachOFile(parsing: bytes) else {
        return nil
      }
      let object = ObjectFile(file)
      return object.kind == .relocatable && object.architecture == architecture ? object : nil
    }
  }
}
