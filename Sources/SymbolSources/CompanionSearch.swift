internal import Bytes
internal import DWARF
internal import DebugInfo
internal import Glibc
internal import ObjectFormats
internal import Synchronization

/// Finds the files in which the debug information of a program goes on.
///
/// A split unit is looked for by its id, in this order: in the package beside the program (its name and
/// `.dwp`); in the file that the program names, from the folder of the compiler, from the program's
/// own folder, and by its plain name beside the program; among the files that were given. A file on
/// disk counts only when it is a regular one and holds a unit of that id.
final class CompanionSearch: Sendable {
  private struct Given {
    /// For each id the first file that holds it; `nil` while nobody has asked.
    var byID: [UInt64: Int]?
  }

  private let given: [CompanionFile]
  private let index = Mutex(Given())

  init(_ given: [CompanionFile]) { self.given = given }

  /// `file` with what was found; itself where nothing is looked for.
  ///
  /// - Complexity: O(n) in the units of a file that keeps them in others, O(1) for most files.
  func complete(_ file: DebugFile) -> DebugFile {
    guard file.companions.isEmpty, file.object.container == .elf else { return file }
    let wanted = file.object.splitReferences
    guard !wanted.isEmpty else { return file }
    var finding = Finding()
    if let place = file.place {
      for path in Self.packages(of: place) { finding.take(path) }
    }
    for unit in wanted where !finding.ids.contains(unit.id) {
      if let place = file.place,
        Self.paths(of: unit, beside: place).contains(where: { finding.take($0, for: unit.id) })
      {
        continue
      }
      if let index = self.file(holding: unit.id) { finding.add(given[index]) }
    }
    return file.joined(by: finding.companions, from: finding.sources)
  }

  /// The files that were found, each once.
  private struct Finding {
    private(set) var companions = Companions()
    private(set) var sources: [SourceFile] = []
    private(set) var ids: Set<UInt64> = []
    private var seen: [String: Bool] = [:]

    mutating func add(_ file: CompanionFile) {
      companions.split.append(file.object)
      sources.append(file.source)
      ids.formUnion(file.object.splitUnitIDs)
    }

    /// Takes the file at `path` if it holds split units, or that unit; whether it does.
    @discardableResult
    mutating func take(_ path: String, for id: UInt64? = nil) -> Bool {
      if seen[path] != nil { return false }
      let file = CompanionSearch.open(path)
      seen[path] = file != nil
      guard let file else { return false }
      if let id, !file.object.splitUnitIDs.contains(id) { return false }
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

  private static func packages(of program: String) -> [String] {
    var paths = [program + ".dwp"]
    if program.hasSuffix(".debug") { paths.append(program.dropLast(6) + ".dwp") }
    return paths
  }

  private static func paths(of unit: SplitUnitReference, beside program: String) -> [String] {
    guard !unit.name.isEmpty, !unit.name.utf8.contains(0) else { return [] }
    let folder = program.lastIndex(of: "/").map { String(program[..<$0]) + "/" } ?? ""
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

  private static func open(_ path: String) -> CompanionFile? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? ByteView(mapping: path), let objects = try? ObjectFile.objects(in: bytes),
      let object = objects.first(where: \.hasSplitUnits)
    else { return nil }
    return CompanionFile(path: path, object: object, in: SourceFile(bytes))
  }
}
