internal import Bytes
internal import Glibc
internal import ObjectFormats

/// Finds the object files in which a Mach-O program left its debug information.
///
/// An object is looked for at the path that the linker read, where the program itself lies on disk,
/// then by its name among the files that were given, those first whose folders are the most like the
/// linker's. It counts only if it was last written when the program says: the next build overwrites
/// its objects, and the lines of another build are worse than none.
final class ObjectFileSearch: Sendable {
  private let byName: [String: [String]]

  /// - Parameter paths: Of object files and libraries on disk.
  init(_ paths: [String]) {
    byName = Dictionary(grouping: paths) { lastPathComponent(of: $0) }
  }

  /// `file` with what was found; itself where nothing is looked for.
  ///
  /// - Complexity: O(n) in the symbols of a file without debug information, O(1) for others.
  func complete(_ file: DebugFile) -> DebugFile {
    guard file.usability == .symbolsOnly, file.place != nil || !byName.isEmpty,
      file.object.hasDebugMap, let map = try? file.object.debugMap()
    else { return file }
    var opened = OpenedFiles()
    var found: [Int: ObjectFile] = [:]
    var sources: [SourceFile] = []
    var missing: [String] = []
    var used: Set<String> = []
    for (number, part) in map.objects.enumerated() {
      let place = DebugMap.Place(map.path(of: part))
      // A library's own time is not that of its members.
      let modified = place.member == nil ? part.modified : 0
      for path in paths(of: place.file, isOnDisk: file.place != nil) {
        guard let source = opened.file(at: path, modified: modified),
          let object = map.objectFile(
            of: part, in: source.bytes, architecture: file.architecture)
        else { continue }
        found[number] = object
        if used.insert(path).inserted { sources.append(source) }
        break
      }
      if found[number] == nil { missing.append("object file \(map.path(of: part))") }
    }
    return found.isEmpty ? file : file.joined(by: found, from: sources, missing: missing)
  }

  private func paths(of path: String, isOnDisk: Bool) -> [String] {
    let given = (byName[lastPathComponent(of: path)] ?? []).filter { $0 != path }
    let parts = path.split(separator: "/").reversed()
    func likeness(_ other: String) -> Int {
      zip(other.split(separator: "/").reversed(), parts).prefix { $0 == $1 }.count
    }
    let ranked = given.map { (path: $0, likeness: likeness($0)) }.enumerated().sorted {
      ($1.element.likeness, $0.offset) < ($0.element.likeness, $1.offset)
    }
    return (isOnDisk ? [path] : []) + ranked.map(\.element.path)
  }

  /// Files of the search for one program, each mapped once.
  private struct OpenedFiles {
    private struct Known {
      var source: SourceFile
      var modified: UInt64
    }

    private var known: [String: Known?] = [:]

    /// - Parameter modified: When it must have been written last; 0 for any time.
    mutating func file(at path: String, modified: UInt64) -> SourceFile? {
      if known[path] == nil { known[path] = .some(Self.open(path)) }
      guard case .some(.some(let file)) = known[path] else { return nil }
      return modified == 0 || file.modified == modified ? file.source : nil
    }

    private static func open(_ path: String) -> Known? {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        let bytes = try? ByteView(mapping: path)
      else { return nil }
      return Known(
        source: SourceFile(bytes), modified: UInt64(bitPattern: Int64(status.st_mtim.tv_sec)))
    }
  }
}
