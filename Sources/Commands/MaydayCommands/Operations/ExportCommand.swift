import Arguments
import CommandSupport
import CrashStore
import HomeArchive
import Query
import Terminal

/// `mayday export`
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Export reports to a file for another home."
  static let discussion = """
    Reports are exported with their submissions and attachments, their groups with statuses and \
    histories, the release order of their apps, and the debug files that symbolicated them. \
    `mayday import` reads the file. Counts of expired reports are not exported.

    The query is that of `mayday reports`; without one, everything is exported.
    """
  static let examples = [
    Example("mayday export app:Tern -o tern.tar.zst", "Everything of one app."),
    Example(
      "mayday export group:TERN-12 --no-symbols -o tern-12.tar.zst",
      "One group, small enough to mail."),
  ]

  @Argument("QUERY", help: "Which reports to export.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("-o", "--output", help: "Output file; - is standard output.", value: "FILE")
  var file: String?
  @Flag("--no-symbols", help: "Leave out debug files.") var hasNoSymbols
  @Flag("--force", help: "Overwrite an existing file.") var isForced
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = MessageOptions()

  func validate() throws(UsageError) {
    if file == nil { throw UsageError("--output is missing: where to write; - is standard output") }
  }

  func run() throws {
    guard let file else { return }
    let store = try home.openForReading()
    let console = output.console
    let query = ReportQuery(try Query(words: words, server: nil))
    let reports = try store.reports.list(query).map(\.id)
    let text = words.joined(separator: " ")
    let writer = HomeArchiveWriter(
      .reports(reports, withDebugFiles: !hasNoSymbols),
      engine: "mayday \(MaydayProgram.version)", query: text.isEmpty ? nil : text)
    let counts = try ArchiveOutput.write(
      writer, store, to: file, replacing: isForced, title: "Exporting", console)
    console.say("Exported \(ArchiveOutput.words(counts)).")
  }
}
