import Arguments
import Bytes
import CrashModel
import CrashStore
import Glibc
import JSON
import Pipeline
import ReportDocument

/// `mayday show`
struct ShowCommand: Command {
  static let name = "show"
  static let summary = "Show a stored group or report."
  static let discussion = """
    A group is named as lists name it, APP-12; a report by its id or any beginning of it that only \
    one has. Of a group the report that stands for it is shown.
    """
  static let examples = [
    Example("mayday show TERN-12", "A group and the report that stands for it."),
    Example("mayday show 5a2c9be20f --full", "A report with all of its threads."),
    Example("mayday show 5a2c9be20f --diff", "What debug files changed that came late."),
    Example("mayday show 5a2c9be20f --raw > crash.ips", "The bytes as they came."),
    Example("mayday show 5a2c9be20f --attachment log.txt", "A file that came with it."),
    Example("mayday show TERN-12 --archive crash.zip", "All of it, for somebody else."),
  ]

  @Argument("ID", help: "A group or a report.") var id: String
  @Option("--format", help: "How to print.") var form = ReportForm.text
  @Flag("--full", help: "Show every frame of every thread, and the registers.") var isFull
  @Flag("--raw", help: "Print the submission as it came.") var isRaw
  @OptionGroup var change = ChangeOptions()
  @OptionGroup var extract = ExtractOptions()
  @OptionGroup var source = SourceOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if isRaw && (output.json || form != .text) {
      throw UsageError("--raw prints bytes, --json and --format a report")
    }
    try source.validate(isDocument: output.json || form == .json)
    try change.validate(isOther: isRaw || form != .text)
    try extract.validate(isOther: isRaw || output.json || form != .text || change.isOn)
  }

  func run() throws {
    guard let store = try home.openForReading() else {
      throw CommandFailure(NearMatchText.notFound(id, NearMatches()), .notFound)
    }
    do {
      try show(from: store)
    } catch StoreError.notFound(let missing) where missing == id {
      throw CommandFailure(NearMatchText.notFound(id, try store.nearMatches(of: id)), .notFound)
    } catch StoreError.ambiguous(_, let matches) {
      let reports = try matches.map { try store.report($0).summary }
      throw CommandFailure(NearMatchText.ambiguous(id, reports), .failed)
    }
  }

  private func show(from store: CrashStore) throws {
    if let group = try group(in: store) {
      guard !group.exemplar.isEmpty else { return try printWithoutReports(group, from: store) }
      let stored = try store.report(group.exemplar)
      if try tookOut(of: stored, from: store) { return }
      if try change.printed(stored, in: store, isFull: isFull, to: output) { return }
      try print(group, stored, in: store)
    } else {
      let stored = try store.report(id)
      if try tookOut(of: stored, from: store) { return }
      if try change.printed(stored, in: store, isFull: isFull, to: output) { return }
      try printReport(stored, in: store)
    }
  }

  /// The group of that name; an id of a report has no dash.
  private func group(in store: CrashStore) throws -> GroupSummary? {
    id.contains("-") ? try store.group(id) : nil
  }

  private func print(_ group: GroupSummary, _ stored: StoredReport, in store: CrashStore) throws {
    let console = output.console
    let page = GroupPage(
      group: group, breakdown: try store.breakdown(ofGroup: group.id, now: .now),
      recent: try store.recentReports(ofGroup: group.id),
      history: try store.history(ofGroup: group.id),
      exemplar: try filed(stored, in: store), now: .now,
      width: console.readableWidth, styles: console.styles, isFull: isFull)
    switch output.json ? .json : form {
    case .json:
      var writer = JSONWriter(pretty: true)
      writer.write(page)
      writer.newLine()
      try console.write(writer.takeBytes())
    case .text: try console.write(lines: page.lines())
    case .md: try console.write(page.markdown())
    case .apple: try printer.printApple(of: [page.exemplar])
    }
  }

  private func filed(_ stored: StoredReport, in store: CrashStore) throws -> FiledReport {
    var filed = try stored.filed()
    if let count = source.lines {
      filed = try filed.showingSources(count) { try store.sourceBundles(of: $0) }
    }
    return filed.tellingNamesakes(in: [StoredSymbols(in: store)])
  }

  private func printReport(_ stored: StoredReport, in store: CrashStore) throws {
    let filed = try filed(stored, in: store)
    switch output.json ? .json : form {
    case .json: try printer.printDocument(of: filed)
    case .text: try printer.printText(of: [filed], group: stored.summary.group)
    case .md: try printer.printMarkdown(of: [filed], group: stored.summary.group)
    case .apple: try printer.printApple(of: [filed])
    }
  }

  private var printer: ReportPrinter { ReportPrinter(console: output.console, isFull: isFull) }

  /// Whether something other than the report was asked for, and is done.
  private func tookOut(of stored: StoredReport, from store: CrashStore) throws -> Bool {
    if isRaw {
      try printRaw(stored, from: store)
    } else if let name = extract.attachment {
      try AttachmentOutput(console: output.console)
        .run(name, of: stored, from: store, to: extract.output, isForced: extract.isForced)
    } else if let path = extract.archive {
      if path == "-" && output.console.isOutputTerminal {
        throw CommandFailure("a zip archive is nothing for a terminal: give --archive FILE")
      }
      try ReportArchive(of: stored, in: store).write(to: path, isForced: extract.isForced)
    } else {
      return false
    }
    return true
  }

  /// Bytes go out as they came, unless a terminal would act on them.
  private func printRaw(_ stored: StoredReport, from store: CrashStore) throws {
    let bytes = try store.submission(stored.submission)
    let console = output.console
    if console.isOutputTerminal {
      try console.write(lines: bytes.text.printableLines)
    } else {
      try console.write(bytes.array)
    }
  }
}
