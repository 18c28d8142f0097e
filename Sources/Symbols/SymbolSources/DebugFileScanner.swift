internal import Archives
public import Bytes
internal import DebugInfo
internal import Files
internal import Glibc
internal import ObjectFormats
internal import SourceText

/// Searches for debug files in files, folders, dSYM bundles, `.build-id` trees and archives, and for files
/// that accompany a program in its folder: PDBs, dSYM bundles, WebAssembly's debug files.
///
/// The content of a file determines what it is, not its name. Only the beginning of other files is read;
/// debug files on disk are mapped. Archive members that are debug files are kept in memory.
public struct DebugFileScanner: Sendable {
  public let limits: DebugFileLimits
  /// Whether unlinked objects are included. Those with a build id always are: Linux kernel modules.
  public var takesObjects = false
  private let archives: ArchiveReader

  public init(limits: DebugFileLimits = .standard) {
    self.limits = limits
    archives = ArchiveReader(limits: .debugFiles)
  }

  /// - Parameter program: The program that unpacks archives, if not this one.
  public init(limits: DebugFileLimits = .standard, program: String) {
    self.limits = limits
    archives = ArchiveReader(limits: .debugFiles, program: program)
  }

  /// Scans everything at or below `paths`.
  ///
  /// Nothing stops a scan: unreadable files are refusals. Unlinked objects and memory dumps count as other
  /// files, as they belong to no image, unless they have a build id or contain split units.
  public func scan(_ paths: [String]) -> DebugFileScan {
    var scan = DebugFileScan()
    var tree = FileTree()
    for path in paths {
      tree.walk(path) { item in
        switch item {
        case .refused(let path, let error):
          scan.refusals.append(DebugFileRefusal(path: path, reason: error.reason))
        case .file(let path): look(at: .onDisk(path), in: &scan)
        }
      }
    }
    addDatabases(of: scan.files, &tree, to: &scan)
    for program in scan.files {
      for neighbour in Self.neighbours(of: program) {
        tree.walk(neighbour.path) { item in
          guard case .file(let path) = item else { return }
          var found = DebugFileScan()
          look(at: .onDisk(path), in: &found)
          scan.files += found.files.filter(neighbour.isRight)
        }
      }
    }
    noteReleases(in: &scan)
    return scan
  }

  /// Records the releases of files in bundles.
  func noteReleases(in scan: inout DebugFileScan) {
    for index in scan.files.indices {
      guard let list = BundleRelease.listPath(forFileAt: scan.files[index].path) else { continue }
      if scan.files[index].diskPath != nil, scan.bundleReleases[list] == nil {
        scan.bundleReleases[list] = BundleRelease.ofList(at: list)
      }
      scan.files[index].release = scan.bundleReleases[list]
    }
  }

  /// Adds the PDBs of programs for Windows in the same folder, under the name recorded in the program or its
  /// own.
  private func addDatabases(
    of files: [DebugFile], _ tree: inout FileTree, to scan: inout DebugFileScan
  ) {
    for program in files {
      guard let id = program.debugID else { continue }
      for path in Self.databases(of: program) {
        tree.walk(path) { item in
          guard case .file(let path) = item else { return }
          var found = DebugFileScan()
          look(at: .onDisk(path), in: &found)
          scan.files += found.files.filter { $0.object.container == .pdb && $0.debugID == id }
        }
      }
    }
  }

  /// The paths in its folder at which the PDB of a program for Windows may be; none for other files.
  static func databases(of program: DebugFile) -> [String] {
    guard let path = program.object.pe?.programDatabase, program.debugID != nil else { return [] }
    let stem = program.name.lastIndex(of: ".").map { String(program.name[..<$0]) }
    return [windowsFileName(of: path), (stem ?? program.name) + ".pdb"].map {
      folder(of: program.path) + $0
    }
  }

  /// Scans one file on disk, without files beside it.
  func scanFile(_ path: String) -> DebugFileScan {
    var scan = DebugFileScan()
    look(at: .onDisk(path), in: &scan)
    return scan
  }

  /// Scans a copy of a file from elsewhere.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - opened: Where its copy is.
  ///   - script: The script beside it, for a source map.
  func scanCopy(
    of path: String, at opened: String, beside script: (path: String, bytes: ByteView)?
  ) -> DebugFileScan {
    var scan = DebugFileScan()
    look(at: Place(path: path, opened: opened, origin: .copy(script: script)), in: &scan)
    return scan
  }

  /// The result for a file whose first ``headCount`` bytes and size decide; `nil` if all of it is needed.
  func dismiss(_ path: String, head: ByteView, size: Int) -> DebugFileScan? {
    if ArchiveReader.isArchive(head) || StaticArchive.isArchive(head) { return nil }
    var scan = DebugFileScan()
    if Self.isWanted(head) {
      guard size > limits.fileBytes else { return nil }
      scan.refusals.append(DebugFileRefusal(path: path, reason: reason(forSize: size)))
    } else {
      noteOther(path, head: head, in: &scan)
    }
    return scan
  }

  /// The objects in the bytes of one stored debug file.
  ///
  /// - Parameter name: The name of the file, for display and for images without an id.
  public func scan(_ bytes: ByteView, named name: String) -> DebugFileScan {
    var scan = DebugFileScan()
    take(bytes, path: name, name: name, in: &scan)
    return scan
  }

  /// Where bytes come from.
  private enum Origin {
    /// A file, beside which others may lie.
    case disk
    /// A copy of a file from elsewhere.
    case copy(script: (path: String, bytes: ByteView)?)
    /// A member of an archive, or bytes that are stored.
    case member
  }

  /// A file that is looked at.
  private struct Place {
    /// How it is shown.
    let path: String
    /// Where it is opened.
    let opened: String
    let origin: Origin

    static func onDisk(_ path: String) -> Place {
      Place(path: path, opened: path, origin: .disk)
    }
  }

  private func look(at place: Place, in scan: inout DebugFileScan) {
    let path = place.path
    do throws(FileError) {
      let head = try Self.head(of: place.opened)
      if ArchiveReader.isArchive(head) {
        unpack(place, into: &scan)
        return
      }
      if StaticArchive.isArchive(head) {
        try noteObjectFile(place, in: &scan)
        noteOther(path, head: head, in: &scan)
        return
      }
      guard Self.isWanted(head) else {
        noteOther(path, head: head, in: &scan)
        return
      }
      let bytes = try ByteView(mapping: place.opened)
      guard bytes.count <= limits.fileBytes else {
        scan.refusals.append(DebugFileRefusal(path: path, reason: reason(forSize: bytes.count)))
        return
      }
      take(bytes, path: path, name: lastPathComponent(of: path), from: place.origin, in: &scan)
    } catch {
      scan.refusals.append(DebugFileRefusal(path: path, reason: error.reason))
    }
  }

  private func reason(forSize size: Int) -> String {
    "\(size) bytes exceed the limit of \(limits.fileBytes)"
  }

  /// Adds a library of object files.
  private func noteObjectFile(
    _ place: Place, in scan: inout DebugFileScan
  ) throws(FileError) {
    if case .copy = place.origin {
      scan.objectCopies[place.path] = try ByteView(mapping: place.opened)
    }
    scan.objectFiles.append(place.path)
  }

  /// Counts a file of another kind.
  private func noteOther(_ path: String, head: ByteView, in scan: inout DebugFileScan) {
    if Self.isPackedBySymbolStore(head, path: path) {
      let reason = "a cabinet archive, which is not read: unpack it with cabextract first"
      scan.refusals.append(DebugFileRefusal(path: path, reason: reason))
    } else {
      scan.otherFiles += 1
    }
  }

  /// Adds the objects among the members of an archive.
  private func unpack(_ place: Place, into scan: inout DebugFileScan) {
    do throws(ArchiveError) {
      try archives.forEachMember(of: place.opened, named: place.path) { refused in
        scan.refusals.append(
          DebugFileRefusal(path: refused.displayPath, reason: refused.error.reason))
      } body: { member in
        guard Self.isWanted(member.bytes) else {
          scan.otherFiles += 1
          if BundleRelease.isList(member.displayPath) {
            scan.bundleReleases[member.displayPath] = BundleRelease.ofList(member.bytes)
          }
          return .next
        }
        guard member.bytes.count <= limits.keptBytes - scan.keptBytes else {
          scan.refusals.append(
            DebugFileRefusal(
              path: member.displayPath,
              reason: "more than \(limits.keptBytes) bytes of members of archives"))
          return .next
        }
        let count = scan.count
        // A nested archive is followed by an exclamation mark.
        let name = lastPathComponent(of: member.path).split(separator: "!").last.map(String.init)
        take(member.bytes, path: member.displayPath, name: name ?? member.path, in: &scan)
        if scan.count > count { scan.keptBytes += member.bytes.count }
        return .next
      }
    } catch {
      scan.refusals.append(DebugFileRefusal(path: error.archive, reason: error.reason))
    }
  }

  /// Whether a file that begins with `head` is a debug file, a bundle of sources or a mapping.
  private static func isWanted(_ head: ByteView) -> Bool {
    ObjectFile.isObject(head) || SourceBundle.isBundle(head)
      || MappingFile.Kind.recognise(head) != nil
  }

  /// Whether a file is a cabinet archive of a symbol store: `tern.pd_` for `tern.pdb`.
  ///
  /// Source: [MS-CAB], section 2.3; "Compressing symbol files", debugging tools for Windows.
  private static func isPackedBySymbolStore(_ head: ByteView, path: String) -> Bool {
    path.hasSuffix("_") && head.starts(with: "MSCF".utf8)
  }

  /// Adds the objects in `bytes`, which begin like an object file, or the bundle in them.
  private func take(
    _ bytes: ByteView, path: String, name: String, from origin: Origin = .member,
    in scan: inout DebugFileScan
  ) {
    func noteObjectFile(in scan: inout DebugFileScan) {
      switch origin {
      case .disk: scan.objectFiles.append(path)
      case .copy:
        scan.objectFiles.append(path)
        scan.objectCopies[path] = bytes
      case .member: break
      }
    }
    let diskPath: String? = if case .disk = origin { path } else { nil }
    if StaticArchive.isUniversal(bytes) {
      noteObjectFile(in: &scan)
      scan.otherFiles += 1
      return
    }
    do throws(ParseError) {
      if SourceBundle.isBundle(bytes) {
        let bundle = try SourceBundle(parsing: bytes)
        scan.bundles.append(
          SourceBundleFile(path: path, name: name, bundle: bundle, in: SourceFile(bytes)))
        return
      }
      if let kind = MappingFile.Kind.recognise(bytes),
        kind == .portablePDB || !ObjectFile.isObject(bytes)
      {
        try takeMapping(bytes, kind, path: path, name: name, from: origin, in: &scan)
        return
      }
      let slices = try ObjectFile.slices(in: bytes)
      let source = SourceFile(bytes)
      var isUsed = false
      for slice in slices {
        do throws(ParseError) {
          let object = try slice.get()
          if object.hasSplitUnits {
            if let truncation = object.truncation { throw truncation }
            scan.supplementary.append(
              SupplementaryFile(path: path, kind: .split, object: object, in: source))
            isUsed = true
            if !object.hasDebugInfo || object.kind != .relocatable { continue }
          }
          if object.kind == .core { continue }
          if let truncation = object.truncation { throw truncation }
          if object.kind == .relocatable, object.container == .machO {
            noteObjectFile(in: &scan)
          }
          if object.kind == .relocatable, object.codeID == nil, !takesObjects { continue }
          scan.files.append(
            DebugFile(path: path, name: name, object: object, in: source, diskPath: diskPath))
          isUsed = true
          if let inner = object.pe?.embeddedPortablePDB {
            try takeMapping(inner, .portablePDB, path: path, name: name, in: &scan)
          }
        } catch {
          scan.refusals.append(DebugFileRefusal(path: path, reason: error.description))
          isUsed = true
        }
      }
      if !isUsed { scan.otherFiles += 1 }
    } catch {
      scan.refusals.append(DebugFileRefusal(path: path, reason: error.description))
    }
  }

  /// Adds a mapping; a file that only begins like one is ignored.
  private func takeMapping(
    _ bytes: ByteView, _ kind: MappingFile.Kind, path: String, name: String,
    from origin: Origin = .member, in scan: inout DebugFileScan
  ) throws(ParseError) {
    do {
      let script = kind == .sourceMap ? Self.script(beside: path, origin) : nil
      scan.mappings.append(
        try MappingFile(
          path: path, name: name, kind: kind, in: SourceFile(bytes), beside: script))
    } catch {
      guard error.kind == .notRecognised, !Self.isCutOff(bytes, kind) else { throw error }
      scan.otherFiles += 1
    }
  }

  /// Whether a document that begins like a source map lacks its end, so that its kind cannot be determined.
  private static func isCutOff(_ bytes: ByteView, _ kind: MappingFile.Kind) -> Bool {
    guard kind == .sourceMap else { return false }
    var end = bytes.count
    while end > 0, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[end - 1]) { end -= 1 }
    return end > 0 && bytes[end - 1] != UInt8(ascii: "}")
  }

  /// `main.js` beside `main.js.map`, which may contain the id of both.
  private static func script(
    beside map: String, _ origin: Origin
  ) -> (path: String, bytes: ByteView)? {
    switch origin {
    case .disk:
      guard let path = scriptPath(beside: map) else { return nil }
      return (try? ByteView(mapping: path)).map { (path, $0) }
    case .copy(let script): return script
    case .member: return nil
    }
  }

  /// Where the script of a source map may be.
  static func scriptPath(beside map: String) -> String? {
    map.hasSuffix(".map") ? String(map.dropLast(4)) : nil
  }

  /// The bytes of the start that determine what a file is: an archive needs 512.
  static let headCount = max(ObjectFile.headCount, 512, MappingFile.Kind.headCount)

  /// The first ``headCount`` bytes of a file.
  static func head(of path: String) throws(FileError) -> ByteView {
    try OpenFile.opening(path).head(headCount, name: path)
  }
}

/// The folder of a file, with the trailing slash.
func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// The name of a file at a path of Windows, or of the system that a program was linked on.
func windowsFileName(of path: String) -> String {
  path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? path
}
