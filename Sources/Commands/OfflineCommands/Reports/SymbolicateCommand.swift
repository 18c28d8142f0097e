package import Arguments
internal import Bytes
package import CommandSupport
internal import CrashInput
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Grouping
internal import JSON
internal import Pipeline
internal import ReportDocument
internal import SymbolSources
internal import Terminal

/// `mayday symbolicate`
package struct SymbolicateCommand: SandboxedCommand {
  package static let name = "symbolicate"
  package static let summary = "Print reports with functions, files and lines."
  package static let discussion = """
    Nothing is stored. With --json, one report is printed as one document, several as an array. As text and \
    Markdown, the reports of several files are printed below the name of their file.
    """
  package static let examples = [
    Example("mayday symbolicate crash.ips --symbols App.dSYM", "What crashed, and where."),
    Example(
      "mayday symbolicate crash.ips --symbols build/ --format md | pbcopy",
      "Ready to paste into an issue or a chat."),
    Example("cat crash.txt | mayday symbolicate - --json", "As JSON, without debug files."),
    Example(
      "mayday symbolicate crash.dmp --symbols build/ --json --schema rust-minidump",
      "As JSON for tools that read minidump-stackwalk's."),
  ]

  @Argument("FILE", help: "Reports, or archives of reports; - is standard input.") var files:
    [String]
  @OptionGroup var symbols = SymbolOptions()
  @Option("-f", "--format", help: "How to print a report.") var form = ReportForm.text
  @OptionGroup var schema = SchemaOptions()
  @Flag("--full", help: "Show every frame of every thread, and the registers.") var isFull
  @OptionGroup var source = SourceOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func validate() throws(UsageError) {
    let isDocument = output.json || form == .json
    try schema.validate(isDocument: isDocument)
    try source.validate(isDocument: isDocument && schema.chosen == .mayday)
  }

  package func run() throws {
    let console = output.console
    try InputPaths.check(files)
    let scan = try symbols.scan(console)
    for refusal in scan.refusals { console.warn(refusal.description.printable) }
    let processor = ReportProcessor(
      symbolicator: scan.symbolicator, signer: Signer(rules: .standard), scrubber: nil)
    let sources = [DebugFileIndex(scan)]
    var reports: [StoredReport] = []
    /// The file of each report.
    var names: [String] = []
    var failures: [any Error] = []
    InputWalker(limits: .passing).walk(files) { file in
      if file.companion?.isAttachment == true { return .next }
      do {
        let bytes = try file.content.get()
        let digest = SHA256.digest(of: bytes)
        for (position, processed) in try processor.process(bytes).enumerated() {
          let id = ReportID.id(digest: digest, app: processed.app, position: position)
          let stored = StoredReport(id: id, report: processed.report)
          reports.append(try withSources(stored, scan.bundles).tellingNamesakes(in: sources))
          names.append(file.path)
        }
      } catch {
        console.say("mayday: \(file.path): \(Exit.describe(error).message ?? "")")
        failures.append(error)
      }
      return .next
    }
    try printReports(reports, of: Set(names).count > 1 ? names : [], to: console)
    if let error = failures.first {
      guard reports.isEmpty else {
        throw CommandFailure("\(failures.count) of the files could not be read", .incomplete)
      }
      throw AlreadyReported(code: Exit.describe(error).code)
    }
    try checkSymbols(of: reports)
  }

  private func withSources(_ stored: StoredReport, _ bundles: [SourceBundleFile]) -> StoredReport {
    guard let count = source.lines else { return stored }
    return stored.showingSources(count) { id in bundles.filter { $0.debugID == id } }
  }

  private func printReports(
    _ reports: [StoredReport], of files: [String], to console: Console
  ) throws {
    let printer = ReportPrinter(console: console, isFull: isFull, schema: schema.chosen)
    switch output.json ? .json : form {
    case .json where reports.count == 1: try printer.printDocument(of: reports[0])
    case .json: try printer.printDocuments(of: reports)
    case .text: try printer.printText(of: reports, files: files)
    case .md: try printer.printMarkdown(of: reports, files: files)
    case .apple: try printer.printApple(of: reports)
    case .minidumpStackwalk: try printer.printStackwalk(of: reports)
    }
  }

  private func checkSymbols(of reports: [StoredReport]) throws {
    guard symbols.isRequired else { return }
    let isMissing = reports.contains { stored in
      ImageSummary(of: stored.report).used.contains { entry in
        entry.isOwn && entry.image.symbols?.verdict != .found
      }
    }
    if isMissing { throw CommandFailure("symbols are missing", .incomplete) }
  }
}
