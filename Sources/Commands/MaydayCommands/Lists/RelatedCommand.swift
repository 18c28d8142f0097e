import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal

/// `mayday related`
struct RelatedCommand: Command {
  static let name = "related"
  static let summary = "List groups whose stacks are like those of a group."
  static let discussion = """
    At most ten groups with a likeness of .30 or more are listed, the most alike first, whatever \
    their app and category. FRAMES is how many frames match, of all in the longer stack. `merge` \
    combines two groups; groups marked with `distinct` are left out.
    """
  static let examples = [
    Example("mayday related TERN-3", "Which groups may be the same bug?"),
    Example("mayday merge TERN-3 TERN-12", "TERN-12 is the same."),
    Example("mayday distinct TERN-3 TERN-15", "TERN-15 is not."),
  ]

  @Argument("ID", help: "Group id.") var id: String
  @Flag("--all", help: "Also list groups marked with `distinct`.") var includesDistinct
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let groups = try home.service().related(toGroup: id, includesDistinct: includesDistinct)
    let console = output.console
    guard output.json else {
      if groups.isEmpty { return console.say("No group is like \(id.printable).") }
      let list = RelatedGroupList(groups: groups)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for group in groups { writer.write(group) }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
