internal import Symbolication

/// Whether and where look-ups keep symbol caches.
package struct LookUpCaching {
  /// `nil` for ``LookUpCache/standardFolder``.
  package var folder: String?
  /// Whether caches are neither read nor written.
  package var isOff = false
  /// The limit for all symbol caches, in bytes.
  package var budget = LookUpCache.standardBudget

  package init(
    folder: String? = nil, isOff: Bool = false, budget: Int = LookUpCache.standardBudget
  ) {
    self.folder = folder
    self.isOff = isOff
    self.budget = budget
  }

  /// Returns the cache of a debug file; `nil` where none is kept.
  package func cache(of path: String, architecture: String?) -> LookUpCache? {
    guard !isOff, let folder = folder ?? LookUpCache.standardFolder else { return nil }
    return LookUpCache(
      of: path, architecture: architecture, in: CacheFolder(folder, budget: budget))
  }
}
