import APIDocuments
import Arguments
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import Terminal

/// `mayday variants`
struct VariantsCommand: Command {
  static let name = "variants"
  static let summary = "List the different stacks of a group's reports."
  static let discussion = """
    Reports with the same normalised stack and the same type of crash are one variant. The first \
    line shows the most frequent stack, the others where they first differ from it. Only stored \
    reports count.
    """
  static let examples = [
    Example("mayday variants TERN-3", "Is it one bug?"),
    Example("mayday reports variant:3fa9c1d2", "The reports of a variant."),
    Example("mayday split TERN-3 --variant 3fa9c1d2", "That one is another bug."),
  ]

  @Argument("ID", help: "Group id.") var id: String
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let variants = try home.service().variants(ofGroup: id)
    let console = output.console
    guard output.json else {
      let list = VariantList(list: variants)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    var writer = JSONWriter(pretty: true)
    writer.write(variants)
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
