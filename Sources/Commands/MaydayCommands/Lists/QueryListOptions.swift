import Arguments
import Bytes
import CommandSupport
import CrashClient
import CrashService
import CrashStore
import Glibc
import JSON
import Query
import Rendering
import Spelling
import Terminal

/// The page of a list to print, and its format.
struct QueryListOptions {
  @Option("-a", "--app", help: "Only this app.", value: "NAME") var app: String?
  @Flag("--reverse", help: "Reverse the order.") var isReversed
  @Option("-n", "--limit", help: "Print at most N lines; 0 prints all.", value: "N") var limit = 100
  @Option(
    "--after", help: "Continue after this cursor, which the previous page printed.", value: "CURSOR"
  )
  var cursor: String?
  @Option("--columns", help: "Columns to show, separated by commas.", value: "LIST")
  var columns: String?
  @Option("--by", help: "Count by this field instead, most frequent first.", value: "FIELD")
  var field: String?
  @Flag("--trend", help: "Show how many reports arrived each day.") var isTrend
  @Option("--days", help: "Number of days of the trend.", value: "N") var days = 30
  @OptionGroup var selection = JSONOptions()
  @Flag("--ndjson", help: "Print JSON, one object per line.") var ndjson
  @Flag("--csv", help: "Print CSV, for spreadsheets.") var csv
  @Flag("-q", "--quiet", isShared: false, help: "Print ids only, one per line.") var printsIDs
  @Option(
    "--watch", implied: 5, isShared: false,
    help: "Print the list again every N seconds, 5 by default, until Ctrl-C.", value: "N")
  var seconds: Int?
  @Option("--color", help: "When to use colour; auto means on a terminal unless NO_COLOR is set.")
  var colour = ColourChoice.auto
  @Flag("--web", help: "Open the list on the server's page; without a browser, print the address.")
  var isForBrowser

  var json: Bool { selection.isOn }
  var console: Console { Console(colour: colour, jsonFilter: selection.filter) }

  /// The most days of a trend: ten years.
  private static let mostDays = 3650

  func validate() throws(UsageError) {
    if limit < 0 { throw UsageError("--limit cannot be below 0; write 20, or 0 for all") }
    if !(1...Self.mostDays).contains(days) {
      throw UsageError("--days is 1 to \(Self.mostDays), not \(days)")
    }
    let forms = [
      (selection.isChosen, "--json"), (ndjson, "--ndjson"), (csv, "--csv"), (printsIDs, "--quiet"),
    ].filter(\.0).map(\.1)
    if forms.count > 1 { throw UsageError("\(forms[0]) and \(forms[1]) are two forms of one list") }
    if columns != nil && (json || ndjson) {
      throw UsageError(
        "--columns is for tables and --csv; JSON holds everything, and --json=id,reports less")
    }
    if selection.isFiltered && (csv || printsIDs) {
      throw UsageError("--jq reads JSON, and \(csv ? "--csv" : "--quiet") prints none")
    }
    if printsIDs && (columns != nil || field != nil || isTrend) {
      throw UsageError("--quiet prints ids only, without --columns, --by and --trend")
    }
    if let seconds {
      if !(1...86_400).contains(seconds) { throw UsageError("--watch is 1 to 86400 seconds") }
      if json || ndjson || csv || printsIDs {
        throw UsageError("--watch is for a person; scripts repeat the command")
      }
      if !console.isOutputTerminal { throw UsageError("--watch needs a terminal") }
    }
    if field != nil {
      if isTrend { throw UsageError("--by and --trend cannot be combined") }
      if cursor != nil { throw UsageError("--after does not work with --by; --limit 0 prints all") }
      if columns != nil { throw UsageError("--by has columns of its own") }
      if isReversed { throw UsageError("--by begins with the most frequent value") }
    }
  }

  /// The field to count by.
  ///
  /// - Throws: ``UsageError`` that lists the fields if there is none of this name.
  func countedField() throws(UsageError) -> QueryField? {
    guard let name = field else { return nil }
    let names = QueryField.all.filter(\.isCountable).map(\.name)
    guard let found = QueryField(named: name), found.isCountable else {
      let what = QueryField(named: name) == nil ? "unknown field" : "cannot count by"
      let near = Suggestion.nearest(to: name, among: names)
      throw UsageError(
        "--by: \(what) '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
          + "\n" + NameList.lines("Fields", names))
    }
    return found
  }

  /// Prints a list, once or with `--watch` again and again, or opens its page.
  ///
  /// - Parameters:
  ///   - page: The path of the page with such a list.
  ///   - print: Prints the list for a query.
  /// - Throws: As ``query(_:server:)``, before a home is opened, and as ``checkApp(in:)``.
  func run(
    _ words: [String], of home: ServiceOptions, page: String,
    _ print: (Query, any CrashService) throws -> Void
  ) throws {
    let query = try query(words, server: home.server)
    let service = try home.service()
    try checkApp(in: service)
    if isForBrowser {
      return try home.open("\(page)?q=\(ServerAddress.escaped(query.text))", on: console)
    }
    // Times such as `<7d` count from each repetition.
    try repeating { try print(try self.query(words, server: home.server), service) }
  }

  /// The query of a command line, within the app that `--app` names.
  ///
  /// - Throws: `QueryError` with the position.
  private func query(_ words: [String], server: String?) throws -> Query {
    guard let app else { return try Query(words: words, server: server) }
    return try Query(words: words + ["app:" + app.inQuery], server: server)
  }

  /// Checks the app that `--app` names.
  ///
  /// - Throws: `StoreError.unknownApp`, with a similar name.
  private func checkApp(in service: any CrashService) throws {
    guard let app else { return }
    let names = try service.apps().map(\.name)
    guard names.contains(app) else { throw StoreError.unknownApp(app, among: names) }
  }

  /// Runs a command once, or with `--watch` again and again, each time on an empty screen.
  private func repeating(_ body: () throws -> Void) throws {
    guard let seconds else { return try body() }
    while true {
      try console.write("\u{1b}[H\u{1b}[2J\u{1b}[3J")
      try body()
      sleep(UInt32(seconds))
    }
  }

  /// The number of elements to request from the store; `nil` for all.
  var storeLimit: Int? { limit == 0 ? nil : limit }

  /// Prints a list in the requested format.
  ///
  /// - Parameters:
  ///   - page: The page of the list.
  ///   - columns: The columns of the table, and of CSV unless others are chosen.
  ///   - id: The id of an element, for `--quiet`.
  ///   - noun: What the list contains, for the messages if it is empty or continues.
  ///   - advice: Hints if it is empty.
  func print<Item: Sendable>(
    _ page: Page<Item>, columns: [ListColumn<Item>], csvColumns: [ListColumn<Item>],
    noun: (one: String, many: String), id: (Item) -> String,
    isQuiet: @escaping (Item) -> Bool = { _ in false },
    advice: () throws -> [String] = { [] },
    write: (inout JSONWriter, Item) throws -> Void
  ) throws {
    let console = console
    if csv {
      try console.write(ColumnTable(columns: csvColumns, items: page.items).csv)
    } else if printsIDs {
      try console.write(lines: page.items.map { id($0).printable })
      return
    } else if try printedJSON(page.items, write) == false {
      guard !page.items.isEmpty else {
        console.say("No \(noun.many).")
        return try advice().forEach(console.say)
      }
      let table = ColumnTable(columns: columns, items: page.items, isQuiet: isQuiet)
      try console.write(lines: table.lines(width: console.width, styles: console.styles))
    }
    if let next = page.next {
      console.say(
        "\(page.items.count) of \(GroupText.count(page.total, noun.one, noun.many)) "
          + "(--limit 0 for all)\nNext: --after \(next)")
    }
  }

  /// Prints `elements` as JSON if requested.
  ///
  /// - Returns: Whether JSON was requested.
  func printedJSON<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) throws -> Void
  ) throws -> Bool {
    guard json || ndjson else { return false }
    var writer = JSONWriter(pretty: !ndjson)
    if !ndjson { writer.beginArray() }
    for element in elements {
      try write(&writer, element)
      if ndjson { writer.newLine() }
    }
    if !ndjson {
      writer.endArray()
      writer.newLine()
    }
    try console.write(json: writer.takeBytes(), isLines: ndjson)
    return true
  }
}
