internal import CrashModel
internal import Identifiers
internal import SymbolSources
internal import Synchronization

/// Finds the mapping of an image of managed code, once for each build however many reports need it.
final class MappingSearch: Sendable {
  /// The result of a search.
  struct Finding: Sendable {
    var status: SymbolStatus
    var file: MappingFile?
  }

  private struct Key: Hashable {
    let debugID: DebugID?
    let codeID: CodeID?
    let kind: MappingFile.Kind
    let takesGiven: Bool
  }

  /// The number of builds at which the table is cleared: a server sees an unlimited number of builds.
  private static let limit = 10_000

  private let sources: [any SymbolSource]
  private let known = Mutex<[Key: Finding]>([:])

  init(sources: [any SymbolSource]) { self.sources = sources }

  /// - Parameter takesGiven: Whether to take the only mapping given explicitly if none has the image's id:
  ///   the report itself names none.
  /// - Throws: The error of a source that fails; it is not cached.
  func find(
    _ image: LoadedImage, _ kind: MappingFile.Kind, takesGiven: Bool
  ) throws -> Finding {
    let key = Key(
      debugID: image.debugID, codeID: image.codeID, kind: kind, takesGiven: takesGiven)
    if let finding = known.withLock({ $0[key] }) { return finding }
    let finding = try search(image, kind, takesGiven: takesGiven)
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[key] = finding
    }
    return finding
  }

  /// The mappings given explicitly for these reports.
  func given(_ kind: MappingFile.Kind) throws -> [MappingFile] {
    try sources.flatMap { try $0.givenMappings(of: kind) }
  }

  private func search(
    _ image: LoadedImage, _ kind: MappingFile.Kind, takesGiven: Bool
  ) throws -> Finding {
    var status = SymbolStatus(.missing)
    if image.hasBuildID {
      for source in sources {
        let files = try source.mappings(for: image).filter { $0.kind == kind }
        // Ids of releases and of scripts may belong to several files.
        if kind == .sourceMap, Set(files.map(\.digest)).count > 1,
          !files.contains(where: { $0.debugID == image.debugID })
        {
          status.tried.append(SymbolCandidate(ambiguous: image, builds: files.count))
          continue
        }
        if let file = files.first {
          return Finding(status: SymbolStatus(.found, file: file.name), file: file)
        }
        for candidate in try source.unusable(for: image) where candidate.verdict == .damaged {
          status.verdict = .damaged
          status.tried.append(candidate)
        }
      }
    }
    guard takesGiven else { return Finding(status: status) }
    var given: [MappingFile] = []
    for file in try self.given(kind)
    where !given.contains(where: { $0.digest == file.digest }) {
      given.append(file)
    }
    guard let only = given.first else { return Finding(status: status) }
    guard given.count == 1 else {
      status.tried.append(SymbolCandidate(ambiguous: image, builds: given.count))
      return Finding(status: status)
    }
    status = SymbolStatus(.found, file: only.name)
    status.match = .name
    status.assumedID = only.debugID
    return Finding(status: status, file: only)
  }
}
