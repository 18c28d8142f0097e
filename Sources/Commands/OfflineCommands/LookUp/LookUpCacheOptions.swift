internal import AddressLookUp
internal import Arguments
internal import CrashService

/// Options for whether and where look-ups store symbol caches.
struct LookUpCacheOptions {
  @Option(
    "--cache",
    help:
      "Compile the symbol cache now and keep it here; by default caches in $XDG_CACHE_HOME/mayday are used.",
    value: "DIR")
  var folder: String?
  @Flag("--no-cache", help: "Neither read nor write symbol caches.") var noCache
  @Option(
    "--cache-bytes", help: "Limit for all symbol caches; the least recently used go first.",
    value: "SIZE")
  var budget = ByteSize(LookUpCache.standardBudget)

  func validate() throws(UsageError) {
    if folder != nil, noCache { throw UsageError("--cache and --no-cache exclude each other") }
  }

  var caching: LookUpCaching {
    LookUpCaching(folder: folder, isOff: noCache, budget: budget.bytes)
  }
}
