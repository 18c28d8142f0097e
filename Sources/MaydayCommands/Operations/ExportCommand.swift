import Arguments
import CrashStore
import HomeArchive
import Query

/// `mayday export`
struct ExportCommand: Command {
  static let name = "export"
  static let summary = "Write some reports to one file, for another home."
  static let discussion = """
    The reports go with their submissions and attachments, their groups with states and histories, the \
    order of their apps' releases, and the debug files that they were made with. `mayday import` takes \
    the file. Counts of reports that have expired stay here.

    The query is that of `mayday reports`; without one, everything is exported.
    """
  static let examples = [
    Example("mayday export app:Tern -o tern.tar.zst", "An app."),
    Example("mayday export group:TERN-12 --no-symbols -o tern-12.tar.zst", "A group, to send."),
  ]

  @Argument("QUERY", help: "Which reports.", isRequired: false, takesDashes: true)
  var words: [String]
  @Option("-o", "--output", help: "Where to write; - is standard output.", value: "FILE")
  var file: String?
  @Flag("--no-symbols", help: "Leave debug files out.") var hasNoSymbols
  @Flag("--force", help: "Replace a file that is there.") var isForced
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = MessageOptions()

  func validate() throws(UsageError) {
    if file == nil { throw UsageError("--output is missing: where to write; - is standard output") }
  }

  func run() throws {
    guard let file else { return }
    let store = try home.openForReading()
    let console = output.console
    let query = ReportQuery(try Query(words: words))
    let reports = try store.reports(query).map(\.id)
    let text = words.joined(separator: " ")
    let writer = HomeArchiveWriter(
      .reports(reports, withDebugFiles: !hasNoSymbols),
      engine: "mayday \(MaydayProgram.version)", query: text.isEmpty ? nil : text)
    let counts = try ArchiveOutput.write(
      writer, store, to: file, replacing: isForced, title: "Exporting", console)
    console.say("Exported \(ArchiveOutput.words(counts)).")
  }
}
