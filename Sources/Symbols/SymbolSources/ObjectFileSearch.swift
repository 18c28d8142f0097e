internal import Bytes
internal import Glibc
internal import Identifiers
internal import ObjectFormats

/// Finds the object files that contain the debug information of a Mach-O program.
///
/// An object is searched for at the path that the linker read, if the program itself is on disk, then by its
/// name among the given files, those in the folders most like the linker's first. It counts only if it was
/// last written at the time recorded in the program: the next build overwrites its objects, and the lines of
/// another build are worse than none. When a file on S3 was last written is not known: of those, only members
/// of libraries count, which have times of their own.
final class ObjectFileSearch: Sendable {
  private let byName: [String: [String]]
  private let copies: [String: ByteView]

  /// - Parameters:
  ///   - paths: The paths of object files and libraries.
  ///   - copies: The bytes of those that are not on disk.
  init(_ paths: [String], copies: [String: ByteView]) {
    self.copies = copies
    byName = Dictionary(grouping: paths) { lastPathComponent(of: $0) }
  }

  /// `file` with the objects found; `file` itself where it needs none.
  ///
  /// - Complexity: O(n) in the symbols of a file without debug information, O(1) for others.
  func complete(_ file: DebugFile) -> DebugFile {
    guard file.usability == .symbolsOnly, file.diskPath != nil || !byName.isEmpty,
      let program = file.object.machO, program.hasDebugMap, let map = try? program.debugMap()
    else { return file }
    var opened = OpenedFiles(architecture: file.architecture, copies: copies)
    var comparisons = Self.mostComparisons
    var found: [Int: ObjectFile] = [:]
    var sources: [SourceFile] = []
    var missing: [String] = []
    var used: Set<ByteView.Identity> = []
    for (number, part) in map.objects.enumerated() {
      let location = DebugMap.ObjectLocation(map.path(of: part))
      // A library's own time is not that of its members.
      let modified = location.member == nil ? part.modified : 0
      for path in paths(of: location.file, isOnDisk: file.diskPath != nil, &comparisons) {
        guard let known = opened.file(at: path, modified: modified),
          let object = known.objects.objectFile(member: location.member, modified: part.modified)
        else { continue }
        found[number] = object
        if used.insert(known.source.bytes.identity).inserted { sources.append(known.source) }
        break
      }
      if found[number] == nil { missing.append("object file \(map.path(of: part))") }
    }
    return found.isEmpty ? file : file.joined(by: found, from: sources, missing: missing)
  }

  /// The most given paths that are examined for one program: a map may list a million files with the same
  /// name.
  private static let mostComparisons = 1 << 20

  private func paths(
    of path: String, isOnDisk: Bool, _ comparisons: inout Int
  ) -> [String] {
    let given = (byName[lastPathComponent(of: path)] ?? []).prefix(comparisons).filter {
      $0 != path
    }
    comparisons -= given.count
    let parts = path.split(separator: "/").reversed()
    func likeness(_ other: String) -> Int {
      zip(other.split(separator: "/").reversed(), parts).prefix { $0 == $1 }.count
    }
    let ranked = given.map { (path: $0, likeness: likeness($0)) }.enumerated().sorted {
      ($1.element.likeness, $0.offset) < ($0.element.likeness, $1.offset)
    }
    return (isOnDisk ? [path] : []) + ranked.map(\.element.path)
  }

  /// Files of the search for one program, each mapped once, whatever paths refer to it.
  private struct OpenedFiles {
    struct Known {
      let source: SourceFile
      let objects: DebugMap.ObjectFiles
      let modified: UInt64
    }

    /// The identity of a file by the file system's numbers.
    private struct Node: Hashable {
      let device: UInt64
      let number: UInt64
    }

    private let architecture: Architecture
    private let copies: [String: ByteView]
    private var knownCopies: [String: Known] = [:]
    private var nodes: [String: Node?] = [:]
    private var known: [Node: Known?] = [:]

    init(architecture: Architecture, copies: [String: ByteView]) {
      self.architecture = architecture
      self.copies = copies
    }

    /// - Parameter modified: The required time of the last write; 0 for any time.
    mutating func file(at path: String, modified: UInt64) -> Known? {
      if let bytes = copies[path] {
        guard modified == 0 else { return nil }
        if let file = knownCopies[path] { return file }
        let file = Known(
          source: SourceFile(bytes),
          objects: DebugMap.ObjectFiles(bytes, architecture: architecture), modified: 0)
        knownCopies[path] = file
        return file
      }
      let node: Node?
      if let found = nodes[path] {
        node = found
      } else {
        node = Self.node(at: path)
        nodes[path] = .some(node)
      }
      guard let node else { return nil }
      if known[node] == nil { known[node] = .some(open(path)) }
      guard case .some(.some(let file)) = known[node] else { return nil }
      return modified == 0 || file.modified == modified ? file : nil
    }

    private static func node(at path: String) -> Node? {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      return Node(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    private func open(_ path: String) -> Known? {
      var status = stat()
      guard let bytes = try? ByteView(mapping: path), unsafe stat(path, &status) == 0 else {
        return nil
      }
      return Known(
        source: SourceFile(bytes),
        objects: DebugMap.ObjectFiles(bytes, architecture: architecture),
        modified: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)))
    }
  }
}
