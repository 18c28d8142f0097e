internal import Bytes
internal import CrashModel
internal import CrashService
internal import Identifiers
internal import ObjectFormats
package import SymbolSources

/// The debug file in which addresses are looked up.
package struct LookUpTarget {
  package let file: DebugFile
  /// The linked address of the image: that of the program where the debug file does not contain it.
  package let imageBase: UInt64
  /// Notes about missing files that would give better answers.
  package let notes: [String]
  /// The files, besides the named one, on which the answers depend, so that a cache can be kept for all of
  /// them; `nil` where neighbouring files may give other answers.
  package let others: [String]?

  /// Returns the best file at `path` for an architecture.
  ///
  /// - Parameters:
  ///   - hints: Other locations of the files that belong to it.
  ///   - architecture: Required where `path` has files for several.
  ///   - debugFolders: Other folders for the debug file of a stripped one.
  /// - Throws: ``ServiceError`` when there is none, or the choice is not clear.
  package static func find(
    _ path: String, hints: [String] = [], architecture: String?,
    debugFolders: DebugFolders = DebugFolders(paths: [])
  ) throws -> LookUpTarget {
    var scan = try scan([path])
    let own = scan.files
    let others = scan.files.filter { $0.usability != .debugInfo }.compactMap(\.codeID)
      .compactMap { debugFolders.file(of: $0) }
    if !others.isEmpty || !hints.isEmpty { scan = try self.scan([path] + others + hints) }
    let found = own.map(\.architecture)
    let names = Set(found.map(\.description)).sorted().joined(separator: ", ").printable
    let wanted: Architecture
    if let architecture {
      wanted = Architecture(architecture)
      guard found.contains(wanted) else {
        throw ServiceError(
          "\(path.printable) holds no \(architecture.printable), only \(names)", .notFound)
      }
    } else {
      wanted = found[0]
      guard Set(found).count == 1 else {
        throw ServiceError("\(path.printable) holds \(names); choose one with --arch", .wrongUsage)
      }
    }
    let files = scan.files.filter { $0.architecture == wanted }
    let best =
      own.filter { $0.architecture == wanted }.min { $0.usability < $1.usability } ?? own[0]
    let index = DebugFileIndex(
      files, supplementary: scan.supplementary, objectFiles: scan.objectFiles)
    guard best.debugID != nil || best.codeID != nil else {
      return LookUpTarget(index.complete(best), among: files, at: path)
    }
    // A debug file may need the symbols of the program in its folder.
    let image = LoadedImage(
      name: best.name, architecture: wanted, debugID: best.debugID, codeID: best.codeID)
    return LookUpTarget(
      index.candidates(for: image).first ?? index.complete(best), among: files, at: path)
  }

  /// Returns the files at `path`, one for each architecture, with the files that belong to them.
  ///
  /// - Throws: ``ServiceError`` when there is none.
  package static func all(_ path: String, architecture: String?) throws -> [DebugFile] {
    let scan = try scan([path])
    let index = DebugFileIndex(scan)
    let files = scan.files.filter {
      architecture.map(Architecture.init) ?? $0.architecture == $0.architecture
    }
    guard !files.isEmpty else {
      let words = (architecture ?? "").printable
      throw ServiceError("\(path.printable) holds no \(words)", .notFound)
    }
    return files.map { index.complete($0) }
  }

  private static func scan(_ paths: [String]) throws -> DebugFileScan {
    let path = paths.first ?? ""
    var scanner = DebugFileScanner()
    var scan = scanner.scan(paths)
    if scan.files.isEmpty {
      // An object before linking belongs to no image, but a user who names it means it.
      scanner.takesObjects = true
      scan = scanner.scan(paths)
    }
    guard !scan.files.isEmpty else {
      if let refusal = scan.refusals.first { throw ServiceError(refusal.description.printable) }
      if let supplementary = scan.supplementary.first {
        throw ServiceError(
          "\(supplementary.path.printable) holds split units only; look up in the program they belong to"
        )
      }
      throw ServiceError("\(path.printable): neither a program nor a debug file")
    }
    return scan
  }

  private init(_ file: DebugFile, among files: [DebugFile], at path: String) {
    self.file = file
    let program = files.first { $0.object.container == .pe && $0.debugID == file.debugID }
    imageBase =
      file.object.container == .pdb
      ? program?.object.imageBase ?? file.object.imageBase : file.object.imageBase
    if file.usability != .debugInfo, let path = file.object.pe?.programDatabase,
      let id = file.debugID
    {
      notes = ["its PDB is not in its folder: \(path), \(id)"]
    } else {
      notes = []
    }
    let isNamed =
      file.path == path || file.path.hasPrefix(path + "/") || file.path.hasPrefix(path + "!")
    others = isNamed && imageBase == file.object.imageBase ? file.otherPaths : nil
  }
}
