import APIDocuments
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal
import Updates

extension ArtefactList {
  static func print(
    _ artefacts: [Artefact], of app: String, in service: any CrashService, _ output: ListOptions
  ) throws {
    if try output.printedJSON(artefacts, { $0.write($1) }) { return }
    let console = output.console
    if artefacts.isEmpty { return console.say("No release files.") }
    let list = try ArtefactList(
      artefacts: artefacts, groups: service.distributionGroups(of: app),
      testers: service.testers(of: app))
    try console.write(lines: list.lines(width: console.width, styles: console.styles))
  }
}
