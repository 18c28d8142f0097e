import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal

/// `mayday remove`
struct RemoveCommand: Command {
  static let name = "remove"
  static let summary = "Delete reports permanently."
  static let discussion = """
    Deletes the reports with their submissions and everything derived from them. Their groups keep \
    their ids and counts, and forget installations that no other report comes from. The same bytes \
    are refused when they arrive again. `mayday gc` frees the disk space.

    An id that matches no report, or more than one, is an error, and nothing is deleted.
    """
  static let examples = [
    Example("mayday remove 5a2c9be20f 77d01c", "Two reports."),
    Example(
      "mayday reports user:42 --json | jq -r '.[].id' | xargs mayday remove",
      "All reports of a user."),
  ]

  @Argument("REPORT", help: "A report id, or a unique prefix of one.")
  var ids: [String]
  @Flag("--dry-run", help: "Only print which reports would be deleted.") var isDry
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let store = try home.openForReading()
    var seen: Set<String> = []
    let reports = try ids.map { try report($0, in: store) }.filter {
      seen.insert($0.id).inserted
    }
    if !isDry { try store.retention.remove(reports: reports.map(\.id), at: .now) }
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for report in reports { writer.write(report) }
      writer.endArray()
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      let table = ColumnTable(columns: ReportColumns.usual, items: reports)
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    let what = GroupText.count(reports.count, "report", "reports")
    console.say(isDry ? "\(what) would be removed." : "\(what) removed.")
  }

  /// - Throws: ``UnknownID`` with similar ids; ``CommandFailure`` for the id of a group.
  private func report(_ id: String, in store: CrashStore) throws -> ReportSummary {
    do {
      return try store.reports.get(id).summary
    } catch StoreError.notFound {
      let near = try store.search.nearMatches(of: id)
      if let group = near.groups.first(where: { $0.id.lowercased() == id.lowercased() })?.id {
        throw CommandFailure(
          "\(group) is a group, and reports are removed one by one. Its reports, to pass to "
            + "'mayday remove': mayday reports group:\(group) --limit 0 --json", .wrongUsage)
      }
      throw UnknownID(id: id, cause: .notFound(near))
    }
  }
}
