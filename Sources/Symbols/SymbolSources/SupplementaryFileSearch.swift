internal import Bytes
internal import DWARF
internal import DebugInfo
internal import Glibc
internal import Identifiers
internal import ObjectFormats
internal import Synchronization

/// Finds the files in which the debug information of a program goes on.
///
/// A split unit is looked for by its id, in this order: in the package in the program's folder (its
/// name and `.dwp`); among the files that were given; in the file that the program names, from the
/// folder of the compiler, from the program's own folder, and by its plain name in the program's
/// folder. A file on disk counts only when it is a regular one and holds a unit of that id. The
/// file that dwz moved shared parts to is looked for by its path and where distributions keep them,
/// and must have the id that the program names.
final class SupplementaryFileSearch: Sendable {
  private struct Given {
    /// For each id the first file that holds it; `nil` until it is asked for.
    var byID: [UInt64: Int]?
    /// The first file with each path.
    var byPath: [String: Int]?
  }

  private let given: [SupplementaryFile]
  private let index = Mutex(Given())
  /// Any of the files that were given, by their ids.
  private let byCodeID: [CodeID: DebugFile]
  private let objectFiles: ObjectFileSearch

  /// - Parameters:
  ///   - given: Files that hold a part of the debug information of others.
  ///   - files: Files of which some may have in common what others name.
  ///   - objects: Paths of object files and libraries.
  ///   - copies: The bytes of those that are not on disk.
  init(
    _ given: [SupplementaryFile], files: [DebugFile], objects: [String],
    copies: [String: ByteView]
  ) {
    self.given = given
    objectFiles = ObjectFileSearch(objects, copies: copies)
    var byCodeID: [CodeID: DebugFile] = [:]
    for file in files where file.usability == .debugInfo {
      if let id = file.codeID, byCodeID[id] == nil { byCodeID[id] = file }
    }
    self.byCodeID = byCodeID
  }

  /// `file` with what was found; itself where nothing is looked for.
  ///
  /// - Complexity: O(n) in the units of a file that keeps them in others, O(1) for most files.
  func complete(_ file: DebugFile) -> DebugFile {
    guard file.supplementary.isEmpty else { return file }
    if file.object.container == .machO { return objectFiles.complete(file) }
    guard file.object.container == .elf else { return file }
    var finding = Finding()
    if let link = file.object.elf?.alternateLink { takeAlternate(link, of: file, into: &finding) }
    takeSplitUnits(of: file, into: &finding)
    return file.joined(by: finding.files, missing: finding.missing)
  }

  private func takeAlternate(
    _ link: AlternateLink, of file: DebugFile, into finding: inout Finding
  ) {
    if let diskPath = file.diskPath {
      for path in Self.paths(of: link, beside: diskPath) {
        guard let found = Self.open(path, .shared), found.object.codeID == link.codeID else {
          continue
        }
        finding.files.append(found)
        return
      }
    }
    if let given = byCodeID[link.codeID] {
      finding.files.append(
        SupplementaryFile(path: given.path, kind: .shared, object: given.object, in: given.source))
    } else {
      finding.missing.append("shared debug information in \(link.path), build id \(link.codeID)")
    }
  }

  private func takeSplitUnits(of file: DebugFile, into finding: inout Finding) {
    let wanted = file.object.splitReferences
    guard !wanted.isEmpty else { return }
    if let diskPath = file.diskPath {
      for path in Self.packages(of: diskPath) { finding.take(path) }
    } else {
      for path in Self.packages(of: file.path) {
        if let index = self.file(at: path), given[index].holds(wanted) { finding.add(given[index]) }
      }
    }
    for unit in wanted where !finding.ids.contains(unit.id) {
      if let index = self.file(holding: unit.id) {
        finding.add(given[index])
        continue
      }
      let paths = file.diskPath.map { Self.paths(of: unit, beside: $0) } ?? []
      if !paths.contains(where: { finding.take($0, for: unit.id) }) {
        finding.missing.append("unit \(unit.id.hexadecimal) in \(unit.name)")
      }
    }
  }

  /// The files that were found, each once, and what was not.
  private struct Finding {
    var files: [SupplementaryFile] = []
    var missing: [String] = []
    private(set) var ids: Set<UInt64> = []
    private var seen: Set<String> = []

    mutating func add(_ file: SupplementaryFile) {
      files.append(file)
      ids.formUnion(file.object.splitUnitIDs)
    }

    /// Takes the file at `path` if it holds split units, or that unit; whether it does.
    @discardableResult
    mutating func take(_ path: String, for id: UInt64? = nil) -> Bool {
      guard seen.insert(path).inserted, let file = SupplementaryFileSearch.open(path, .split) else {
        return false
      }
      if let id, !file.object.splitUnitIDs.contains(id) {
        // Another unit may still be in it.
        seen.remove(path)
        return false
      }
      add(file)
      return true
    }
  }

  private func file(holding id: UInt64) -> Int? {
    index.withLock { index in
      if let known = index.byID { return known[id] }
      var byID: [UInt64: Int] = [:]
      for (number, file) in given.enumerated() {
        for id in file.object.splitUnitIDs where byID[id] == nil { byID[id] = number }
      }
      index.byID = byID
      return byID[id]
    }
  }

  private func file(at path: String) -> Int? {
    index.withLock { index in
      if let known = index.byPath { return known[path] }
      let byPath = Dictionary(given.enumerated().map { ($0.element.path, $0.offset) }) { first, _ in
        first
      }
      index.byPath = byPath
      return byPath[path]
    }
  }

  private static func packages(of program: String) -> [String] {
    var paths = [program + ".dwp"]
    if program.hasSuffix(".debug") { paths.append(program.dropLast(6) + ".dwp") }
    return paths
  }

  private static func paths(of unit: SplitUnitReference, beside program: String) -> [String] {
    guard !unit.name.isEmpty, !unit.name.utf8.contains(0) else { return [] }
    let folder = folder(of: program)
    var paths: [String] = []
    if unit.name.hasPrefix("/") {
      paths.append(unit.name)
    } else {
      let start = unit.directory.hasPrefix("/") ? "" : folder
      paths.append(start + unit.directory + "/" + unit.name)
      paths.append(folder + unit.name)
    }
    paths.append(folder + lastPathComponent(of: unit.name))
    return paths
  }

  /// From the folder of the program, which the path of a link to it may not tell, and where
  /// distributions keep such files.
  private static func paths(of link: AlternateLink, beside program: String) -> [String] {
    guard !link.path.isEmpty, !link.path.utf8.contains(0) else { return [] }
    let id = link.codeID.description
    let store = "/usr/lib/debug/"
    let known = [
      store + ".dwz/" + lastPathComponent(of: link.path),
      store + ".build-id/" + id.prefix(2) + "/" + id.dropFirst(2) + ".debug",
    ]
    if link.path.hasPrefix("/") { return [link.path] + known }
    var programs = [program]
    if let real = unsafe realpath(program, nil) {
      programs.append(unsafe String(cString: real))
      unsafe free(real)
    }
    return programs.map { folder(of: $0) + link.path } + known
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? ""
  }

  private static func open(_ path: String, _ kind: SupplementaryFile.Kind) -> SupplementaryFile? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? ByteView(mapping: path), let objects = try? ObjectFile.objects(in: bytes),
      let object = objects.first(where: { kind == .split ? $0.hasSplitUnits : $0.hasDebugInfo })
    else { return nil }
    return SupplementaryFile(path: path, kind: kind, object: object, in: SourceFile(bytes))
  }
}

extension SupplementaryFile {
  /// Whether any of some units is in the file.
  fileprivate func holds(_ units: [SplitUnitReference]) -> Bool {
    let ids = Set(object.splitUnitIDs)
    return units.contains { ids.contains($0.id) }
  }
}
