import Arguments
import CommandSupport
import CrashService
import Rendering

/// `mayday testers add-group`
struct TestersAddGroupCommand: Command {
  static let name = "add-group"
  static let summary = "Create distribution groups."
  static let examples = [
    Example("mayday testers add-group Beta --app Tern", "For testers who were invited."),
    Example("mayday testers add-group Everyone --public --app Tern", "For all users of the app."),
  ]

  @Argument("NAME", help: "The groups.") var names: [String]
  @Flag("--public", help: "For all users of the app.") var isPublic
  @OptionGroup var app = AppOption()
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let groups = try names.map {
      try service.addDistributionGroup($0, isPublic: isPublic, to: app, by: author.name)
    }
    try DistributionGroupList.print(groups, of: app, in: service, output)
  }
}
