import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import Rendering

/// `mayday releases order`
struct ReleasesOrderCommand: Command {
  static let name = "order"
  static let summary = "Set the order of releases."
  static let discussion = """
    The given releases, oldest first, follow one another from the position of the first of them; \
    the others stay where they are. A version means all of its builds, '1.4.0 (512)' only one. \
    Releases that appear later are placed by number, after the last one that precedes them.

    The order applies to reports that arrive from then on.
    """
  static let examples = [
    Example("mayday releases order Tern 1.4.9 2.0-beta", "2.0-beta came right after 1.4.9."),
    Example("mayday releases order Tern --by-number", "Back to the order of versions and builds."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("VERSION", help: "Releases, oldest first.", isRequired: false) var names: [String]
  @Flag("--by-number", help: "Discard the order that was set: sort by version, then by build.")
  var isByNumber
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if isByNumber != names.isEmpty {
      throw UsageError(
        isByNumber
          ? "--by-number takes no releases" : "VERSION is missing: two or more, oldest first")
    }
    if names.count == 1 { throw UsageError("one release alone has no order: name two or more") }
  }

  func run() throws {
    let releases = try home.service().orderReleases(names.map { Release($0) }, of: app)
    try ReleaseList.print(releases, output)
  }
}
