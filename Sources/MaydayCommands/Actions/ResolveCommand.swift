import Arguments
import CrashModel
import CrashStore

/// `mayday resolve`
struct ResolveCommand: Command {
  static let name = "resolve"
  static let summary = "Mark groups as fixed."
  static let discussion = """
    A report from a release in which it should be gone opens the group again, as regressed; one from \
    an older release never does. Which release came before which, `mayday releases list` shows.

    Without an option it should be gone in whatever comes after the newest release in which the \
    group was seen. A report that names no version changes nothing, unless no report of the group \
    ever named one: then one that crashed later opens it again.
    """
  static let examples = [
    Example("mayday resolve TERN-12", "Gone in whatever comes after what it was seen in."),
    Example("mayday resolve TERN-12 --in 1.5.0", "Gone in 1.5.0 and all that follow."),
    Example("mayday resolve TERN-12 TERN-15 --next", "Gone in the release that comes next."),
  ]

  @Argument("ID", help: "Groups.") var ids: [String]
  @Option(
    "--in", help: "It is fixed in this version, or in this build of it: '1.5.0 (600)'.",
    value: "VERSION")
  var version: String?
  @Flag("--next", help: "It is fixed in what follows the newest release of the app.") var isNext
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    if version != nil && isNext { throw UsageError("--in names a version, --next the next one") }
    if let version, Release(version).isEmpty { throw UsageError("--in names no version") }
  }

  private var resolution: Resolution {
    if isNext { return .next }
    return version.map { .inRelease(Release($0)) } ?? .afterNewestSeen
  }

  func run() throws { try options.decide(.resolve(resolution), about: ids) }
}
