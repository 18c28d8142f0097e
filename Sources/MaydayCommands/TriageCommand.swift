import Archives
import Arguments
import Grouping
import JSON
import Pipeline
import SymbolSources

/// `mayday triage`
struct TriageCommand: SandboxedCommand {
  static let name = "triage"
  static let summary = "Parse, symbolicate and group all reports below the paths."
  static let discussion = """
    Folders and archives (zip, tar, gz, zst) are walked; what is a report shows its content, not its \
    name. A file that is none is listed with the reason and stops nothing. Nothing is left behind.
    """
  static let examples = [
    Example("mayday triage crashes/ --symbols build/", "The groups, with functions and lines."),
    Example(
      "mayday triage crashes.zip --html triage.html", "One page to read and to mail."),
    Example(
      "mayday triage crashes/ --json | jq '.groups[].signature'", "The signatures alone."),
  ]

  @Argument("PATH", help: "Files, folders and archives; - is standard input.") var paths: [String]
  @OptionGroup var symbols = SymbolOptions()
  @Option(
    "--app", help: "The app that all reports belong to; else each names its own.", value: "APP")
  var app: String?
  @Option("--html", help: "Write a page to this file; - is standard output.", value: "FILE")
  var page: String?
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if page == "-" && output.json { throw UsageError("--html - and --json share standard output") }
  }

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let scan = try symbols.scan(console)
    let result = triage(with: scan, console)
    if let page {
      let page = (
        file: page,
        markup: TriagePage(
          sources: paths, engine: "mayday \(MaydayProgram.version)", refusedSymbols: scan.refused
        ).markup(result)
      )
      if page.file == "-" {
        try console.write(page.markup)
      } else {
        try OutputFile.write(Array(page.markup.utf8), to: page.file)
      }
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(result, refusedSymbols: scan.refused)
      writer.newLine()
      try console.write(writer.takeBytes())
    } else if page != "-" {
      let text = TriageText(width: console.readableWidth, styles: console.styles)
      try console.write(lines: text.lines(result, refusedSymbols: scan.refused))
      if !result.groups.isEmpty || !result.refused.isEmpty { console.say("") }
    }
    TriageText.closing(result).lines(of: 80).forEach(console.say)
    if let page, page != "-" { console.say("Page written to \(page.printable)") }
    if result.reports == 0 && result.refused.contains(where: { !$0.isForeign }) {
      throw CommandFailure("no report could be read")
    }
    if symbols.isRequired && result.missing.contains(where: \.isOwn) {
      throw CommandFailure("symbols are missing", .incomplete)
    }
  }

  private func triage(with scan: DebugFileScan, _ console: Console) -> TriageResult {
    let processor = ReportProcessor(
      symbolicator: scan.symbolicator, signer: Signer(rules: .v1), scrubber: nil, app: app)
    let bar = ProgressBar("Reading", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let walker = InputWalker()
    let total = console.isErrorTerminal ? walker.count(paths).files : nil
    return Triage(processor: processor).run(paths, walker: walker) { done in
      // Archives hold more files than the quick count has seen.
      bar.update(done, of: total.map { max($0, done) })
    }
  }
}
