internal import Bytes
internal import CrashModel
internal import SymbolSources
internal import Synchronization
internal import UnwindRules

/// Finds the unwind rules of an image, once for each build however many reports hold it.
final class UnwindSearch: Sendable {
  private struct Identity: Hashable {
    let debugID: DebugID?
    let codeID: CodeID?
    let architecture: Architecture?
    let name: String?
  }

  /// Past this many builds the table starts again: a server sees builds without end.
  private static let limit = 10_000

  private let sources: [any SymbolSource]
  private let cache: UnwindRuleCache
  private let known = Mutex<[Identity: Finding]>([:])

  /// The rules of an image, and the file that has them.
  struct Finding {
    /// `nil` where no file has any.
    var rules: UnwindRules?
    var debugID: DebugID?
    /// The SHA-256 of the file.
    var digest: String?
  }

  init(sources: [any SymbolSource], cache: UnwindRuleCache) {
    self.sources = sources
    self.cache = cache
  }

  /// The rules of the first file of the image that has any: a program without debug information has
  /// them, too.
  ///
  /// - Throws: What a source throws that cannot tell; that is not remembered.
  func rules(for image: LoadedImage) throws -> Finding {
    let identity = Identity(
      debugID: image.debugID, codeID: image.codeID, architecture: image.architecture,
      name: image.hasBuildID ? nil : image.fileName)
    if let known = known.withLock({ $0[identity] }) { return known }
    let finding = try search(image)
    known.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[identity] = finding
    }
    return finding
  }

  private func search(_ image: LoadedImage) throws -> Finding {
    for source in sources {
      for file in try source.candidates(for: image) {
        // A file that cannot be read is named where its symbols are searched for.
        if let rules = try? cache.rules(for: file), rules.rowCount > 0 {
          return Finding(
            rules: rules, debugID: file.debugID ?? image.debugID, digest: file.digest)
        }
      }
    }
    return Finding()
  }
}
