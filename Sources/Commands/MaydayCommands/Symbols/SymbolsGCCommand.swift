import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday symbols gc`
struct SymbolsGCCommand: Command {
  static let name = "gc"
  static let summary = "Delete debug files that are no longer needed."
  static let discussion = """
    Files that stored reports use or wait for stay, unless --force is given; files added within \
    the last hour always stay. Files that have been unused longest are deleted first. Stored \
    results do not change.
    """
  static let examples = [
    Example(
      "mayday symbols gc --older-than 90d --dry-run", "Files that no report needed for 90 days."),
    Example("mayday symbols gc --keep-bytes 20GB", "Delete until the rest fits."),
    Example("mayday symbols gc --keep-releases 10", "Keep the ten newest releases of each app."),
  ]

  @Option("--keep-bytes", help: "Limit for all debug files: 500MB, 10GiB.")
  var bytes: ByteSize?
  @Option("--older-than", help: "Delete files that no report has needed for this long: 90d, 26w.")
  var age: TimeLength?
  @Option(
    "--keep-releases", help: "Keep the debug files of each app's N newest releases.", value: "N")
  var releases: Int?
  @Flag("--force", help: "Also delete files that stored reports need.") var isForced
  @Flag("--dry-run", help: "Only print what would be deleted.") var isDry
  @Option(
    "--grace", help: "Seconds to keep a newly added file.", value: "N")
  var grace = CrashStore.Expiry.contentGrace
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if bytes == nil && age == nil && releases == nil {
      throw UsageError("a limit is missing: --keep-bytes, --older-than or --keep-releases")
    }
    if let releases, releases < 0 { throw UsageError("--keep-releases cannot be below 0") }
    if grace < 0 { throw UsageError("--grace cannot be below 0") }
  }

  func run() throws {
    let console = output.console
    let now = Timestamp.now
    var keeping = DebugFileRetention()
    keeping.bytes = bytes?.bytes
    keeping.notNeededSince = age.map {
      Timestamp(seconds: now.seconds - $0.seconds, nanoseconds: now.nanoseconds)
    }
    keeping.releases = releases
    keeping.takesNeeded = isForced
    let store = try home.openForReading()
    let result =
      isDry
      ? try store.debugFiles.removals(under: keeping, at: now, grace: grace)
      : try store.debugFiles.remove(under: keeping, at: now, grace: grace)
    let cacheBytes = try store.debugFiles.removeCaches(isDry: isDry)
    try DebugFileRemovalList(removals: result.removals, isDry: isDry, cacheBytes: cacheBytes)
      .print(console, json: output.json, bytesLeft: result.bytesLeft)
    if let bytes = keeping.bytes, result.bytesLeft > bytes {
      console.warn(
        "\(DebugFileList.size(result.bytesLeft - bytes)) over the limit stay: "
          + (isForced ? "they were just added" : "stored reports need them; --force deletes them"))
    }
  }
}
