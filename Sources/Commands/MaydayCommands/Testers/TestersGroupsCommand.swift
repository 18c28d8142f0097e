import APIDocuments
import Arguments
import CommandSupport
import CrashService
import Documents
import Rendering
import Terminal
import Updates

/// `mayday testers groups`
struct TestersGroupsCommand: Command {
  static let name = "groups"
  static let summary = "List the distribution groups of an app."
  static let examples = [Example("mayday testers groups --app Tern", "Public and private ones.")]

  @OptionGroup var app = AppOption()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    try DistributionGroupList.print(
      service.distributionGroups(of: app), of: app, in: service, output)
  }
}

extension DistributionGroupList {
  static func print(
    _ groups: [DistributionGroup], of app: String, in service: any CrashService,
    _ output: ListOptions
  ) throws {
    if try output.printedJSON(groups, { $0.write($1) }) { return }
    let console = output.console
    let list = DistributionGroupList(groups: groups, testers: try service.testers(of: app))
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
