internal import CrashModel
internal import SymbolCache
internal import SymbolSources
internal import Synchronization

/// Finds the symbol cache of an image, once for each build however many reports hold it.
final class SymbolSearch: Sendable {
  /// What a search found.
  struct Finding: Sendable {
    var status: SymbolStatus
    var cache: SymbolCache?
    var debugID: DebugID?
    /// The SHA-256 of the debug file.
    var digest: String?
    /// What of the debug file could not be read.
    var notes: [String] = []
  }

  /// What tells one build from another; the name counts only where there is no id.
  private struct Identity: Hashable {
    let debugID: DebugID?
    let codeID: CodeID?
    let architecture: Architecture?
    let name: String?
    let path: String?

    init(_ image: LoadedImage) {
      debugID = image.debugID
      codeID = image.codeID
      architecture = image.architecture
      let hasID = image.debugID != nil || image.codeID != nil
      name = hasID ? nil : image.name
      path = hasID ? nil : image.path
    }
  }

  /// Past this many builds the table starts again: a server sees builds without end.
  private static let limit = 100_000

  private let sources: [any SymbolSource]
  private let shelf: SymbolShelf
  private let known = Mutex<[Identity: Finding]>([:])

  init(sources: [any SymbolSource], shelf: SymbolShelf) {
    self.sources = sources
    self.shelf = shelf
  }

  func symbols(for image: LoadedImage) -> Finding {
    let identity = Identity(image)
    if let finding = known.withLock({ $0[identity] }) { return finding }
    let finding = search(image)
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[identity] = finding
    }
    return finding
  }

  private func search(_ image: LoadedImage) -> Finding {
    var finding = Finding(status: SymbolStatus(.missing))
    for source in sources {
      for file in source.candidates(for: image) {
        guard file.usability != .stripped else {
          if finding.status.verdict == .missing { finding.status.verdict = .stripped }
          finding.status.tried.append("\(file.path): neither debug information nor symbols")
          continue
        }
        switch shelf.cache(for: file) {
        case .success(let cache):
          finding.status.verdict = .found
          finding.status.file = file.path
          finding.status.isSymbolsOnly = file.usability == .symbolsOnly
          finding.cache = cache
          finding.notes = cache.notes.map { "\(file.name): \($0)" }
          finding.debugID = file.debugID ?? image.debugID
          finding.digest = file.digest
          return finding
        case .failure(let error):
          if finding.status.verdict == .missing { finding.status.verdict = .damaged }
          finding.status.tried.append("\(file.path): \(error)")
        }
      }
    }
    return finding
  }
}
