internal import Bytes
public import CrashModel
internal import Identifiers
internal import ObjectFormats

/// Debug files by their ids, and by name for images that have none.
public struct DebugFileIndex: SymbolSource {
  /// All files, in the order in which they were given.
  public let files: [DebugFile]
  /// By the sixteen bytes: reports do not always tell the age.
  private var byDebugID: [[UInt8]: [Int]] = [:]
  private var byCodeID: [CodeID: [Int]] = [:]
  private var byName: [String: [Int]] = [:]
  private let mappings: [MappingFile]
  private let refusals: [DebugFileRefusal]
  private let supplementary: SupplementaryFileSearch

  /// - Parameters:
  ///   - mappings: Those that explain frames without addresses.
  ///   - refusals: Files that cannot be used, for ``namesakes(of:limit:)``.
  ///   - supplementary: Files that hold a part of the debug information of others.
  ///   - objectFiles: Paths of object files and libraries on disk that Mach-O programs may name.
  public init(
    _ files: [DebugFile], supplementary: [SupplementaryFile] = [], objectFiles: [String] = [],
    mappings: [MappingFile] = [], refusals: [DebugFileRefusal] = []
  ) {
    self.init(
      files, supplementary: supplementary, objectFiles: objectFiles, copies: [:],
      mappings: mappings, refusals: refusals)
  }

  private init(
    _ files: [DebugFile], supplementary: [SupplementaryFile], objectFiles: [String],
    copies: [String: ByteView], mappings: [MappingFile], refusals: [DebugFileRefusal]
  ) {
    self.files = files
    self.mappings = mappings
    self.supplementary = SupplementaryFileSearch(
      supplementary, files: files, objects: objectFiles, copies: copies)
    self.refusals = refusals
    for (index, file) in files.enumerated() {
      for id in Set([file.debugID, file.object.wasm?.otherDebugID].compactMap { $0?.uuid }) {
        byDebugID[id, default: []].append(index)
      }
      for id in [file.codeID, file.object.wasm?.otherCodeID] {
        if let id { byCodeID[id, default: []].append(index) }
      }
      byName[file.name, default: []].append(index)
    }
  }

  /// The result of a scan.
  public init(_ scan: DebugFileScan) {
    self.init(
      scan.files, supplementary: scan.supplementary, objectFiles: scan.objectFiles,
      copies: scan.objectCopies, mappings: scan.mappings, refusals: scan.refusals)
  }

  /// `file` with the files in which its debug information goes on, as far as they are there.
  public func complete(_ file: DebugFile) -> DebugFile { supplementary.complete(file) }

  /// - Complexity: O(files with that id), but for an image whose files have no debug information:
  ///   then the files that a debug link names are read once for their checksum.
  public func candidates(for image: LoadedImage) -> [DebugFile] {
    let found = image.hasBuildID ? matchesByID(image) : matchesByName(image)
    let linked = linkedFiles(of: found)
    let complete = Self.completed(linked + found).filter { !$0.object.needsProgram }
    return complete.enumerated().sorted { left, right in
      (Self.rank(left.element), left.offset) < (Self.rank(right.element), right.offset)
    }.map { supplementary.complete($0.element) }
  }

  public func mappings(for image: LoadedImage) -> [MappingFile] {
    let ids = image.possibleDebugIDs.map(\.uuid)
    return mappings.filter { file in
      file.architecture == image.architecture
        && file.identities.contains { identity in
          ids.contains(identity.debugID.uuid)
            && (identity.codeID == nil || image.codeID == nil || identity.codeID == image.codeID)
        }
    }
  }

  public func givenMappings(of kind: MappingFile.Kind) -> [MappingFile] {
    mappings.filter { $0.kind == kind }
  }

  public func unusable(for image: LoadedImage) -> [SymbolCandidate] {
    guard image.hasBuildID else {
      let builds = Self.buildCount(of: namesakes(agreeingWith: image))
      return builds > 1 ? [SymbolCandidate(ambiguous: image, builds: builds)] : []
    }
    guard let wanted = image.architecture else { return [] }
    return Set(indicesByID(image)).sorted().map { files[$0] }
      .filter { wanted.contradicts($0.architecture) }
      .map { SymbolCandidate($0.name, .wrongArchitecture, architecture: $0.architecture) }
  }

  public func namesakes(of image: LoadedImage, limit: Int) -> [SymbolCandidate] {
    let names = DebugFileName.names(of: image)
    let damaged = refusals.filter { names.contains(lastPathComponent(of: $0.path)) }
    var found = damaged.prefix(limit).map {
      SymbolCandidate(lastPathComponent(of: $0.path), .damaged, detail: $0.reason)
    }
    // Without an id no file is known to be of another build; `unusable(for:)` lists the ambiguous
    // ones.
    guard image.hasBuildID else { return found }
    let wanted = Set(indicesByID(image))
    for index in Set(names.flatMap { byName[$0] ?? [] }).sorted()
    where !wanted.contains(index) && found.count < limit {
      let file = files[index]
      let candidate = SymbolCandidate(namesake: file, of: image)
      if !found.contains(candidate) { found.append(candidate) }
    }
    return found
  }

  /// Some writers put zeros where they know no id.
  private static func isKnown(_ id: CodeID) -> Bool { id.description.contains { $0 != "0" } }

  private func matchesByID(_ image: LoadedImage) -> [DebugFile] {
    agreeing(indicesByID(image), with: image)
  }

  private func indicesByID(_ image: LoadedImage) -> [Int] {
    var indices: [Int] = []
    if let id = image.codeID, Self.isKnown(id) { indices += byCodeID[id] ?? [] }
    var ids = image.possibleDebugIDs
    if ids.isEmpty {
      // A program for Windows leads from the one id to the other, which its PDB has.
      let program = indices.lazy.map { files[$0] }.first { $0.object.container == .pe }
      if let id = program?.debugID { ids = [id] }
    }
    for id in ids {
      indices += (byDebugID[id.uuid] ?? []).filter { Self.agrees(files[$0].debugID, with: id) }
    }
    return indices
  }

  /// Whether two ids with the same bytes are of one build: an age counts where both tell one. Only
  /// PDB files have them.
  private static func agrees(_ file: DebugID?, with image: DebugID) -> Bool {
    guard let file, file.isTimestamp == image.isTimestamp else { return false }
    return file.age == image.age || file.age == 0 || image.age == 0
  }

  /// Files with the name of an image that has no id, unless they come from several builds: the
  /// wrong symbols are worse than none.
  private func matchesByName(_ image: LoadedImage) -> [DebugFile] {
    let found = namesakes(agreeingWith: image)
    return Self.buildCount(of: found) < 2 ? found : []
  }

  /// The files with the name of an image whose architecture does not contradict.
  private func namesakes(agreeingWith image: LoadedImage) -> [DebugFile] {
    var indices = DebugFileName.names(of: image).flatMap { byName[$0] ?? [] }
    if indices.isEmpty, image.path == nil, let container = Self.unnamed[image.name] {
      indices = files.indices.filter { files[$0].object.container == container }
    }
    let found = agreeing(indices, with: image)
    guard let release = image.release else { return found }
    // The files of the release, or else those of which nothing says what they belong to.
    let own = found.filter { $0.release.map(release.mayBe) == true }
    return own.isEmpty ? found.filter { $0.release == nil } : own
  }

  /// The names of images that reports do not name: a firmware's program and a module of WebAssembly. The only such
  /// file that is given explains them.
  static let unnamed: [String: ObjectContainer] = ["firmware": .elf, "wasm": .wasm]

  /// How many builds files with one name come from, at least. A file without an id may be of any
  /// build; copies of one file are one.
  private static func buildCount(of files: [DebugFile]) -> Int {
    let digests = files.filter { $0.debugID == nil }.map(\.digest)
    return max(Set(files.compactMap(\.debugID)).count, Set(digests).count)
  }

  /// The files at `indices`, each once and in order, whose architecture does not contradict.
  private func agreeing(_ indices: [Int], with image: LoadedImage) -> [DebugFile] {
    Set(indices).sorted().map { files[$0] }.filter { file in
      image.architecture.map { !$0.contradicts(file.architecture) } ?? true
    }
  }

  /// The files that stripped programs name, where their checksum is right.
  private func linkedFiles(of programs: [DebugFile]) -> [DebugFile] {
    guard !programs.contains(where: { $0.usability == .debugInfo }) else { return [] }
    return programs.flatMap { program -> [DebugFile] in
      if let path = program.object.wasm?.externalDebugInfo {
        return namedFiles(path, of: program)
      }
      guard let link = program.object.elf?.debugLink else { return [] }
      // A link is a plain file name; where it is more, the folders are of another machine.
      return (byName[lastPathComponent(of: link.name)] ?? []).map { files[$0] }.filter {
        !$0.architecture.contradicts(program.architecture) && $0.matches(link)
      }.map { $0.explaining(program) }
    }
  }

  /// The files with the name that a WebAssembly module gives for its debug information; of which
  /// build they are, the module does not say, so their code must be the same.
  private func namedFiles(_ path: String, of program: DebugFile) -> [DebugFile] {
    (byName[lastPathComponent(of: path)] ?? []).map { files[$0] }.filter {
      $0.usability == .debugInfo && $0.object.wasm?.isSameModule(as: program.object.wasm) == true
    }.map { $0.explaining(program) }
  }

  /// `files`, of one build, where debug information without symbols takes those of another file.
  private static func completed(_ files: [DebugFile]) -> [DebugFile] {
    files.map { file in
      guard file.usability == .debugInfo, !file.object.hasSymbols || file.object.needsProgram,
        let other = files.first(where: {
          $0.usability != .debugInfo && $0.architecture == file.architecture
            && ($0.usability == .symbolsOnly || file.object.needsProgram)
            && !$0.object.needsProgram
        })
      else { return file }
      return file.explaining(other)
    }
  }

  /// Debug information first; of two alike the file that was made for it.
  private static func rank(_ file: DebugFile) -> Int {
    file.usability.rawValue * 2 + (file.object.kind == .debugFile ? 0 : 1)
  }
}
