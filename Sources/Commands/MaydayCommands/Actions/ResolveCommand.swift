import Arguments
import CrashService
import CrashStore
import Identifiers

/// `mayday resolve`
struct ResolveCommand: Command {
  static let name = "resolve"
  static let summary = "Mark groups as fixed."
  static let discussion = """
    A report from a release that should contain the fix reopens the group as regressed; a report \
    from an older release never does. `mayday releases list` shows the order of releases.

    By default the fix is expected in every release newer than the newest one in which the group \
    was seen. A report without a version changes nothing, unless no report of the group ever had \
    one: then a later crash reopens it.
    """
  static let examples = [
    Example("mayday resolve TERN-12", "Fixed in any release newer than those it was seen in."),
    Example("mayday resolve TERN-12 --in 1.5.0", "Fixed in 1.5.0 and later."),
    Example("mayday resolve TERN-12 TERN-15 --next", "Fixed in the next release."),
  ]

  @Argument("ID", help: "Group ids.") var ids: [String]
  @Option(
    "--in", help: "Fixed in this version, or in one build of it: '1.5.0 (600)'.",
    value: "VERSION")
  var version: String?
  @Flag("--next", help: "Fixed in the release after the app's newest.") var isNext
  @OptionGroup var options = ActionOptions()

  func validate() throws(UsageError) {
    if version != nil && isNext { throw UsageError("--in names a version, --next the next one") }
    if let version, Release(version).isEmpty { throw UsageError("--in must be a version") }
    // A version after the groups is the release of the fix.
    if version == nil, let last = ids.last, ids.count > 1, !GroupName.isOne(last),
      last.contains(where: \.isNumber)
    {
      throw UsageError("'\(last)' is not a group; for the release of the fix, write --in \(last)")
    }
  }

  private var resolution: Resolution {
    if isNext { return .next }
    return version.map { .inRelease(Release($0)) } ?? .afterNewestSeen
  }

  func run() throws { try options.decide(.resolve(resolution), about: ids) }
}
