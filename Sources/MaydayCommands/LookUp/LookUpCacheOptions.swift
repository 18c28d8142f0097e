import Arguments
import Symbolication

/// Whether and where look-ups keep symbol caches.
struct LookUpCacheOptions {
  @Option(
    "--cache",
    help:
      "Keep the symbol cache here, and make it now; else $XDG_CACHE_HOME/mayday is looked into.",
    value: "DIR")
  var folder: String?
  @Flag("--no-cache", help: "Neither use nor keep symbol caches.") var noCache
  @Option(
    "--cache-bytes", help: "What the caches may take together; then those used last stay.",
    value: "SIZE")
  var budget = ByteSize(LookUpCache.standardBudget)

  func validate() throws(UsageError) {
    if folder != nil, noCache { throw UsageError("--cache and --no-cache exclude each other") }
  }

  /// Where the cache of a debug file is kept; `nil` for nowhere.
  func cache(of path: String, architecture: String?) -> LookUpCache? {
    guard !noCache, let folder = folder ?? LookUpCache.standardFolder else { return nil }
    return LookUpCache(
      of: path, architecture: architecture, in: CacheFolder(folder, budget: budget.bytes))
  }
}
