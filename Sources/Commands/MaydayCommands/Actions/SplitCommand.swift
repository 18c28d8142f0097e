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
import TriageModel

/// `mayday split`
struct SplitCommand: Command {
  static let name = "split"
  static let summary = "Move part of a group into a new group."
  static let discussion = """
    With --key, the reports that have one of the keys move, and later ones follow them. With \
    --where, the reports that match a query move, and the query stays as a rule for later reports; \
    --variant ID is short for --where variant:ID. \
    New symbols or rules never undo a split; `undo` does, and brings back the reports that have \
    arrived since.

    Without either option, the group's keys are listed.
    """
  static let examples = [
    Example("mayday split TERN-3", "List its keys."),
    Example("mayday split TERN-3 --key 5b1c --key 90dc", "Two of the keys are another crash."),
    Example("mayday split TERN-3 --variant 3fa9c1d2", "One of the variants is another crash."),
    Example(
      "mayday split TERN-3 --where 'version:>=2.1'", "Reports from 2.1 on are another crash."),
  ]

  @Argument("ID", help: "Group id.") var id: String
  @Option("--key", help: "A key, or the start of one.", value: "KEY") var keys: [String] = []
  @Option(
    "--where", help: "Move the reports that match this query; see `mayday fields`.", value: "QUERY")
  var rule: String?
  @Option(
    "--variant", help: "A variant, or the start of its id; see `mayday variants`.", value: "ID")
  var variants: [String] = []
  @OptionGroup var options = ActionOptions()

  private static let fewestDigits = 4

  /// The query of the split; `nil` if keys are given.
  private var query: String? {
    rule ?? (variants.isEmpty ? nil : "variant:" + variants.joined(separator: "|"))
  }

  func validate() throws(UsageError) {
    if [rule != nil, !keys.isEmpty, !variants.isEmpty].count(where: \.self) > 1 {
      throw UsageError("give only one of --key, --variant and --where")
    }
    for variant in variants
    where variant.count < Self.fewestDigits || !variant.allSatisfy(\.isHexDigit) {
      throw UsageError(
        "'\(variant)' is not the id of a variant, which has at least \(Self.fewestDigits) "
          + "hexadecimal digits")
    }
  }

  func run() throws {
    if query == nil && keys.isEmpty { return try list() }
    // Both groups are printed, as if both had been named.
    try options.decide(
      query.map { .splitWhere($0) } ?? .split(keys: keys), about: [id], isList: true
    ) { groups in
      guard let new = groups.last else { return }
      options.output.console.say(
        "\(GroupText.count(new.reports, "report", "reports")) moved to \(new.id.printable)")
    }
  }

  private func list() throws {
    let keys = try options.home.service().keys(ofGroup: id)
    let console = options.output.console
    guard options.output.json else {
      let list = KeyList(keys: keys)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for key in keys { writer.write(key) }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
