internal import Bytes
internal import CrashModel
internal import Identifiers
internal import SourceMaps
internal import SymbolSources

/// The source maps chosen for the scripts of a report.
struct SourceMapSelection {
  struct Chosen {
    /// The index of the image that represents the script.
    var image: Int
    /// `nil` where none was found.
    var map: SourceMap?
  }

  private(set) var images: [LoadedImage]
  /// The choices by the file of a frame.
  private(set) var scripts: [String: Chosen] = [:]
  private(set) var digests: [DebugID: String] = [:]
  private(set) var notes: [String] = []
  private let need: SourceMapRequest
  /// The release of the report.
  private let release: Release

  init(_ need: SourceMapRequest, of report: CrashReport) {
    self.need = need
    release = Release(version: report.app.version ?? "", build: report.app.build ?? "")
    images = report.images
  }

  /// - Parameters:
  ///   - release: The ids of maps that were uploaded for the release of the report.
  /// - Throws: The error of a source of debug files that fails.
  mutating func find(
    with search: MappingSearch, in pool: MappingPool<SourceMap>,
    release: (ScriptPath) -> MappingFile.Identity?
  ) throws {
    let isOnly = need.scripts.count { $0.script.looksGenerated } == 1
    for (file, script) in need.scripts {
      let named = script.image.map { images[$0] }
      let inRelease = release(script.path)
      // An id named by the report is the only one that counts: the map of another build shows wrong lines.
      // Otherwise the map of a build takes precedence over that of all builds of the version.
      var ids: [(debugID: DebugID?, codeID: CodeID?)] = [(named?.debugID, nil)]
      if named?.debugID == nil {
        ids += [(inRelease?.debugID, nil), (nil, inRelease?.codeID), (script.path.nameID, nil)]
      }
      var image =
        named
        ?? LoadedImage(
          name: script.path.name, architecture: .javaScript,
          debugID: inRelease?.debugID ?? script.path.nameID, codeID: inRelease?.codeID)
      if image.debugID == nil || named == nil, !self.release.isEmpty {
        image.release = self.release
      }
      image.symbols = SymbolStatus(.missing)
      var finding: MappingSearch.Finding?
      for id in ids where finding?.file == nil && (id.debugID != nil || id.codeID != nil) {
        var wanted = image
        wanted.debugID = id.debugID
        wanted.codeID = id.codeID
        let found = try search.find(wanted, .sourceMap, takesGiven: false)
        if found.file != nil || finding == nil { finding = found }
        if found.file != nil, named == nil, let debugID = id.debugID { image.debugID = debugID }
      }
      if finding?.file == nil, named?.debugID == nil {
        finding =
          try search.given(script.path, image, takesAny: isOnly && script.looksGenerated) ?? finding
      }
      guard script.image != nil || script.looksGenerated || finding?.file != nil else { continue }
      if let status = finding?.status { image.symbols = status }
      scripts[file] = take(image, at: script.image, finding?.file, pool)
    }
  }

  /// The id by which the record of a result names a map without an id: the start of its digest.
  private static func id(of file: MappingFile) -> DebugID {
    let digits = file.digest.utf8.compactMap(\.hexadecimalDigit)
    return DebugID(
      uuid: (0..<min(16, digits.count / 2)).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] })
  }

  private mutating func take(
    _ image: LoadedImage, at index: Int?, _ file: MappingFile?, _ pool: MappingPool<SourceMap>
  ) -> Chosen {
    var image = image
    var map: SourceMap?
    if let file {
      do {
        map = try pool.value(of: file) { try SourceMap(parsing: $0.fileBytes) }
        if image.symbols?.match == .name {
          notes.append(
            "\(image.name): the report does not name \(file.name), so that it may be another build's"
          )
        }
        digests[image.debugID ?? file.debugID ?? Self.id(of: file)] = file.digest
      } catch {
        image.symbols = SymbolStatus(
          .damaged, tried: [SymbolCandidate(file.name, .damaged, detail: "\(error)")])
      }
    }
    if let index {
      images[index] = image
      return Chosen(image: index, map: map)
    }
    let same = images.firstIndex {
      $0.architecture == .javaScript && $0.name == image.name && $0.debugID == image.debugID
        && $0.symbols == image.symbols
    }
    if same == nil { images.append(image) }
    return Chosen(image: same ?? images.count - 1, map: map)
  }
}

extension MappingSearch {
  /// The map, among those given explicitly for these reports, whose script has the name, and shares the most
  /// folders, of a script of the report.
  ///
  /// - Parameter takesAny: Whether to take the only map if it names no script.
  func given(_ script: ScriptPath, _ image: LoadedImage, takesAny: Bool) throws -> Finding? {
    var given: [MappingFile] = []
    for file in try self.given(.sourceMap)
    where !given.contains(where: { $0.digest == file.digest }) {
      given.append(file)
    }
    func common(_ file: MappingFile) -> Int {
      file.scripts.map { $0.commonParts(with: script) }.max() ?? 0
    }
    let most = given.map(common).max() ?? 0
    var best = most > 0 ? given.filter { common($0) == most } : []
    // A map that names another script belongs to that one.
    if best.isEmpty, takesAny, given.count == 1 { best = given.filter(\.scripts.isEmpty) }
    guard let only = best.first else { return nil }
    guard best.count == 1 else {
      var status = SymbolStatus(.missing)
      status.tried.append(SymbolCandidate(ambiguous: image, builds: best.count))
      return Finding(status: status)
    }
    var status = SymbolStatus(.found, file: only.name)
    status.match = .name
    status.assumedID = only.debugID
    return Finding(status: status, file: only)
  }
}
