import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import Glibc
import JSON
import Pipeline
import Query
import Rendering
import ReportDocument
import ServerCore
import Terminal
import TriageModel

/// `mayday show`
struct ShowCommand: Command, PagedCommand {
  static let name = "show"
  static let summary = "Show a stored group or report."
  static let discussion = """
    A group is given by its id, such as APP-12; a report by its id or a unique prefix. Without an id, \
    the newest group is shown: the one seen first most recently. A group is \
    shown with the stack of its exemplar, its versions and its history; --full adds systems, \
    devices, the trend, recent reports, and the complete exemplar.
    """
  static let examples = [
    Example("mayday show TERN-12", "A group: its stack, its versions, its history."),
    Example("mayday show 5a2c9be20f --full", "A report with all threads."),
    Example("mayday show 5a2c9be20f --diff", "What late debug files changed."),
    Example("mayday show 5a2c9be20f --raw > crash.ips", "The original bytes."),
    Example("mayday show 5a2c9be20f --attachment log.txt", "An attachment."),
    Example("mayday show TERN-12 --archive crash.zip", "Everything in one zip, to pass on."),
  ]

  @Argument("ID", help: "A group or a report. Default: the group seen first most recently.")
  var name: String?
  @Option("-f", "--format", help: "How to print.") var form = ReportForm.text
  @OptionGroup var schema = SchemaOptions()
  @Flag("--full", help: "Show everything, such as all threads and registers of a report.")
  var isFull
  @Flag("--raw", help: "Print the submission as it arrived.") var isRaw
  @Flag("--web", help: "Open its page; without a browser, print the address.") var isForBrowser
  @OptionGroup var change = ChangeOptions()
  @OptionGroup var extract = ExtractOptions()
  @OptionGroup var source = SourceOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  var isPaged: Bool {
    !output.json && form != .json && !isRaw && extract.attachment == nil && extract.archive == nil
  }

  func validate() throws(UsageError) {
    if isForBrowser && (output.json || isRaw || form != .text || change.isOn) {
      throw UsageError("--web opens the page, and prints nothing else")
    }
    if isRaw && (output.json || form != .text) {
      throw UsageError("--raw prints bytes, --json and --format a report")
    }
    let isDocument = output.json || form == .json
    try schema.validate(isDocument: isDocument && !isRaw && !change.isOn)
    try source.validate(isDocument: isDocument && schema.chosen == .mayday)
    try change.validate(isOther: isRaw || form != .text)
    try extract.validate(isOther: isRaw || output.json || form != .text || change.isOn)
  }

  func run() throws {
    let service = try home.service()
    let id = try name ?? newestGroup(of: service)
    if isForBrowser { return try openPage(of: id, from: service) }
    if change.isOn {
      return try change.print(try report(id, by: service), service, isFull, to: output)
    }
    if let path = extract.archive {
      if path == "-" && output.console.isOutputTerminal {
        throw CommandFailure("cannot write a zip archive to a terminal: give --archive FILE")
      }
      let bytes = try service.archive(ofReport: try report(id, by: service))
      return try path == "-"
        ? output.console.write(bytes.array)
        : OutputFile.write(bytes, toFree: path, isForced: extract.isForced)
    }
    if isRaw { return try printRaw(try service.submission(ofReport: try report(id, by: service))) }
    if let name = extract.attachment {
      let report = try service.report(try report(id, by: service), sourceLines: nil)
      return try AttachmentOutput(console: output.console).run(
        name, of: report, from: service, to: extract.output, isForced: extract.isForced)
    }
    if Self.isGroup(id) {
      let answer = try service.group(id, sourceLines: source.lines)
      try print(answer, firstBad: try firstBad(of: answer.group, service))
    } else {
      try print(try service.report(id, sourceLines: source.lines))
    }
  }

  /// Whether a group is named; a report id has no dash.
  private static func isGroup(_ id: String) -> Bool { id.contains("-") }

  /// The group that was seen for the first time most recently.
  private func newestGroup(of service: any CrashService) throws -> String {
    var query = GroupQuery(.all)
    query.order = .firstSeen
    query.limit = 1
    guard let group = try service.groups(query).items.first else {
      throw CommandFailure("there is no group yet: mayday ingest stores reports", .notFound)
    }
    return group.id
  }

  private func openPage(of id: String, from service: any CrashService) throws {
    let path =
      Self.isGroup(id)
      ? "/groups/" + (try service.group(id, sourceLines: nil).group.id)
      : "/reports/" + (try service.report(id, sourceLines: nil).id)
    try home.open(path, on: output.console)
  }

  /// The named report, or the exemplar of the named group.
  private func report(_ id: String, by service: any CrashService) throws -> String {
    guard Self.isGroup(id) else { return id }
    let group = try service.group(id, sourceLines: nil).group
    guard !group.exemplar.isEmpty else {
      throw CommandFailure("\(group.id.printable): all of its reports were removed", .notFound)
    }
    return group.exemplar
  }

  /// The build since which a group is more frequent; `nil` if that is less likely than not.
  private func firstBad(of group: GroupSummary, _ service: any CrashService) throws -> String? {
    guard !output.json, form == .text else { return nil }
    var query = RegressionQuery()
    query.group = group.id
    let result = try service.regressions(of: group.app, query)
    return result.groups.first { $0.isCertain(0.5) }.map { RegressionText.line($0, result.basis) }
  }

  private func print(_ answer: GroupOverview, firstBad: String?) throws {
    let console = output.console
    if output.json || form == .json {
      if schema.chosen == .rustMinidump {
        guard let exemplar = answer.exemplar else {
          throw CommandFailure(
            "\(answer.group.id.printable): all of its reports were removed", .notFound)
        }
        return try printer.printDocument(of: exemplar)
      }
      var writer = JSONWriter(pretty: true)
      writer.write(answer)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    guard
      var page = GroupPage(
        answer, now: .now, width: console.readableWidth, styles: console.styles, isFull: isFull)
    else { return try printWithoutReports(answer) }
    page.firstBad = firstBad
    page.address = try home.pageAddress().map { $0 + "/groups/" + answer.group.id.inAddress }
    switch form {
    case .text, .json: try console.write(lines: page.lines())
    case .md: try console.write(page.markdown())
    case .apple: try printer.printApple(of: [page.exemplar])
    case .minidumpStackwalk: try printer.printStackwalk(of: [page.exemplar])
    }
  }

  private func print(_ stored: StoredReport) throws {
    switch output.json ? .json : form {
    case .json: try printer.printDocument(of: stored)
    case .text: try linkedPrinter().printText(of: [stored], group: stored.group)
    case .md: try linkedPrinter().printMarkdown(of: [stored], group: stored.group)
    case .apple: try printer.printApple(of: [stored])
    case .minidumpStackwalk: try printer.printStackwalk(of: [stored])
    }
  }

  private var printer: ReportPrinter {
    ReportPrinter(console: output.console, isFull: isFull, schema: schema.chosen)
  }

  /// A printer that links reports to the server's pages.
  private func linkedPrinter() throws -> ReportPrinter {
    var printer = printer
    printer.server = try home.pageAddress()
    return printer
  }

  /// The bytes are printed unchanged, unless a terminal would interpret them.
  private func printRaw(_ bytes: ByteView) throws {
    let console = output.console
    if console.isOutputTerminal {
      try console.write(lines: bytes.text.printableLines)
    } else {
      try console.write(bytes.array)
    }
  }
}
