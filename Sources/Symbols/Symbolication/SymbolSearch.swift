internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache
internal import SymbolSources
internal import Synchronization

/// Finds the symbol cache of an image, once for each build however many reports contain it.
final class SymbolSearch: Sendable {
  /// The result of a search.
  struct Finding: Sendable {
    var status: SymbolStatus
    var cache: SymbolCache?
    var debugID: DebugID?
    /// The SHA-256 of the debug file.
    var digest: String?
    /// The distribution's package, as recorded in the program or its debug file.
    var package: ImagePackage?
    /// The code that the report's addresses must fit, where the file was found by its name alone.
    var unverified: CodeMatcher?
    /// The object that the cache was made from, for frames that name a function instead of an address.
    var object: ObjectFile?
    /// The program whose code addresses are compared with: its symbols may be in a separate file.
    var program: ObjectFile?
    /// The parts of the debug file that could not be read.
    var notes: [String] = []
  }

  /// The identity of a build; the name counts only where there is no id.
  private struct Identity: Hashable {
    let debugID: DebugID?
    let codeID: CodeID?
    let architecture: Architecture?
    let name: String?
    let path: String?
    let version: String?
    let release: Release?

    init(_ image: LoadedImage) {
      debugID = image.debugID
      codeID = image.codeID
      architecture = image.architecture
      let hasID = image.hasBuildID
      name = hasID ? nil : image.name
      path = hasID ? nil : image.path
      version = hasID ? nil : image.version
      release = hasID ? nil : image.release
    }
  }

  /// The number of builds at which the table is cleared: a server sees an unlimited number of builds.
  private static let limit = 100_000
  /// The most candidates shown for one image.
  private static let mostTried = 8

  private let sources: [any SymbolSource]
  private let pool: SymbolCachePool
  private let known = Mutex<[Identity: Finding]>([:])

  init(sources: [any SymbolSource], pool: SymbolCachePool) {
    self.sources = sources
    self.pool = pool
  }

  /// - Throws: The error of a source that fails; it is not cached.
  func symbols(for image: LoadedImage) throws -> Finding {
    let identity = Identity(image)
    if let finding = known.withLock({ $0[identity] }) {
      if finding.cache != nil { pool.use.ready.add(1, ordering: .relaxed) }
      return finding
    }
    let finding = try search(image)
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[identity] = finding
    }
    return finding
  }

  /// The result depends only on the image's identity, not on other files that happen to be there, so that the
  /// same debug files of a build give the same result everywhere.
  private func search(_ image: LoadedImage) throws -> Finding {
    var finding = Finding(status: SymbolStatus(.missing))
    for source in sources {
      let files = try source.candidates(for: image)
      for file in files {
        // A file with the same name may be from another package.
        if image.hasBuildID, finding.package == nil { finding.package = file.object.package }
        guard file.usability != .stripped else {
          if finding.status.verdict == .missing { finding.status.verdict = .stripped }
          finding.tell(SymbolCandidate(file.name, .stripped))
          continue
        }
        switch pool.cache(for: file) {
        case .success(let cache):
          finding.status.verdict = .found
          finding.status.file = file.name
          finding.program =
            file.object.hasCode ? file.object : files.lazy.map(\.object).first(where: \.hasCode)
          if !image.hasBuildID {
            finding.status.match = .name
            finding.status.assumedID = file.debugID
            finding.unverified = CodeMatcher(finding.program ?? file.object)
          }
          if file.usability == .symbolsOnly {
            finding.tell(SymbolCandidate(file.name, .noLineTable))
          }
          finding.cache = cache
          finding.object = file.object
          finding.notes = cache.notes.map { "\(file.name): \($0)" }
          finding.debugID = file.debugID ?? image.debugID
          finding.digest = file.digest
          finding.status.tried = Array(finding.status.tried.suffix(Self.mostTried))
          return finding
        case .failure(let error):
          if finding.status.verdict == .missing { finding.status.verdict = .damaged }
          finding.tell(SymbolCandidate(file.name, .damaged, detail: error.description))
        }
      }
      for candidate in try source.unusable(for: image) {
        if candidate.verdict == .damaged && finding.status.verdict == .missing {
          finding.status.verdict = .damaged
        }
        finding.tell(candidate)
      }
    }
    finding.status.tried = Array(finding.status.tried.prefix(Self.mostTried))
    return finding
  }
}

extension ObjectFile {
  /// Whether the bytes of functions are in the file.
  fileprivate var hasCode: Bool {
    kind != .relocatable && sections.contains { $0.isExecutable && $0.hasContents }
  }
}

extension SymbolSearch.Finding {
  /// Records a candidate, once however many sources have it.
  fileprivate mutating func tell(_ candidate: SymbolCandidate) {
    if !status.tried.contains(candidate) { status.tried.append(candidate) }
  }
}
