import Arguments
import CommandSupport
import CrashService
import Rendering

/// `mayday testers edit-group`
struct TestersEditGroupCommand: Command {
  static let name = "edit-group"
  static let summary = "Rename a distribution group, or make it public or private."
  static let examples = [
    Example("mayday testers edit-group Beta --public --app Tern", "Open the beta to all users."),
    Example("mayday testers edit-group Beta --name Preview --app Tern", "Rename it."),
  ]

  @Argument("NAME", help: "The group.") var name: String
  @Option("--name", help: "The new name.", value: "NAME") var newName: String?
  @Flag("--public", help: "For all users of the app.") var isPublic
  @Flag("--private", help: "For its testers only.") var isPrivate
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func validate() throws(UsageError) {
    if isPublic, isPrivate { throw UsageError("--public and --private exclude each other") }
    if newName == nil, !isPublic, !isPrivate {
      throw UsageError("nothing to change: give --name, --public or --private")
    }
  }

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let group = try service.editDistributionGroup(
      name, of: app, name: newName, isPublic: isPublic ? true : isPrivate ? false : nil,
      by: author.name)
    try DistributionGroupList.print([group], of: app, in: service, output)
  }
}
