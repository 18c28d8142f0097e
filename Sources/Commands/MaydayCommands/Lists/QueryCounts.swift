import Terminal
import APIDocuments
import Documents
import Rendering
import CrashService
import CrashStore
import JSON
import Query

/// Counts the reports and groups that a query finds, by the values of a field.
struct QueryCounts {
  let field: QueryField
  /// Whether values are sorted by groups, instead of reports.
  let countsGroups: Bool
  let list: QueryListOptions

  func print(_ query: Query, from service: any CrashService) throws {
    let histogram = try service.histogram(
      of: query, by: field, countsGroups: countsGroups, limit: list.storeLimit)
    let console = list.console
    if list.csv {
      try console.write(histogram.csv)
    } else if try list.printedJSON(histogram.rows, { $0.write($1) }) == false {
      if histogram.rows.isEmpty {
        return console.say(countsGroups ? "No groups." : "No reports.")
      }
      try console.write(lines: histogram.lines(width: console.width, styles: console.styles))
    }
    if histogram.omitted > 0 {
      console.say("\(GroupText.count(histogram.omitted, "more value", "more values")): --limit 0")
    }
  }
}
