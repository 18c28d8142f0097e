package import Arguments
internal import Bytes
package import CommandSupport
internal import CrashInput
internal import CrashModel
internal import CrashService
internal import Grouping
internal import JSON
internal import Pipeline
internal import Rendering
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

    --ndjson prints each report on a line as soon as the files before it are done, with the name of its file \
    as source; a file without a report is a line {"source", "error"}. It takes any number of files, and exits \
    with 0 unless --strict.
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
    Example(
      "find crashes -type f | mayday symbolicate --ndjson --files-from - -s build/",
      "A line for each report, with the name of its file."),
  ]

  @Argument(
    "FILE", help: "Reports, or archives of reports; - is standard input.", isRequired: false)
  var files: [String]
  @OptionGroup var inputs = InputOptions()
  @OptionGroup var symbols = SymbolOptions()
  @OptionGroup var cache = SymbolCacheOptions()
  @OptionGroup var limits = FileLimitOptions()
  @Option("-f", "--format", help: "How to print a report.") var form = ReportForm.text
  @OptionGroup var schema = SchemaOptions()
  @Flag("--ndjson", isShared: false, help: "Print JSON, one report per line.") var ndjson
  @Flag(
    "--strict", isShared: false, help: "With --ndjson, exit with 6 if a file could not be read.")
  var isStrict
  @Flag("--full", help: "Show every frame of every thread, and the registers.") var isFull
  @OptionGroup var source = SourceOptions()
  @OptionGroup var progress = ProgressOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func validate() throws(UsageError) {
    try inputs.validate(files, named: "FILE")
    try limits.validate()
    let isDocument = output.json || ndjson || form == .json
    try schema.validate(isDocument: isDocument)
    try source.validate(isDocument: isDocument && schema.chosen == .mayday)
    if ndjson, output.choosesMembers {
      throw UsageError("--ndjson prints whole reports; choose members with --jq")
    }
    if ndjson, form != .text, form != .json {
      throw UsageError("--ndjson and --format \(form.rawValue) exclude each other")
    }
  }

  package func run() throws {
    let console = output.console
    try inputs.check(files)
    let given = try symbols.find(console, cache: cache)
    defer { given.finish() }
    for refusal in given.refusals { console.warn(refusal.description.printable) }
    if ndjson {
      try printLines(with: given, to: console)
    } else {
      try printAll(with: given, to: console)
    }
  }

  /// Prints the reports when all files are read.
  private func printAll(with given: GivenSymbols, to console: Console) throws {
    var reports: [StoredReport] = []
    /// The file of each report.
    var names: [String] = []
    var failures: [(file: String, error: any Error)] = []
    let processor = processor(with: given)
    defer { processor.finish() }
    let completing = completion(with: given)
    let remote = self.inputs.remote(console)
    let walker = InputWalker(limits: .passing, share: inputs.share, remote: remote)
    let report = beginProgress(walker, console)
    let stream = ReportStream(by: processor) { _, found in
      try found.map(completing)
    } consume: { file, result in
      switch result {
      case .success(let found):
        reports += found
        names += found.map { _ in file }
      case .failure(let error): failures.append((file, error))
      }
    } progress: {
      report.note($0)
    }
    let inputs = try inputs.names(files)
    walker.walk(inputs) { stream.bring($0) }
    let ending = Result { try stream.finish() }
    report.finish()
    try ending.get()
    for (file, error) in failures {
      console.say("mayday: \(file): \(Exit.describe(error).message ?? "")")
    }
    try printReports(reports, of: Set(names).count > 1 ? names : [], to: console)
    try inputs.check()
    try remote.check()
    if let error = failures.first?.error {
      guard reports.isEmpty else {
        throw CommandFailure("\(failures.count) of the files could not be read", .incomplete)
      }
      throw AlreadyReported(code: Exit.describe(error).code)
    }
    try checkSymbols(isMissing: reports.contains(where: Self.lacksSymbols))
  }

  /// Prints each report, or the reason why there is none, when the files before it are done.
  private func printLines(with given: GivenSymbols, to console: Console) throws {
    var lines = try JSONLines(to: console)
    var problem: (any Error)?
    var failures = 0
    var isMissing = false
    func print(_ bytes: [UInt8]) {
      guard problem == nil else { return }
      do { try lines.write(bytes) } catch { problem = error }
    }
    let processor = processor(with: given)
    defer { processor.finish() }
    let completing = completion(with: given)
    let schema = schema.chosen
    let remote = self.inputs.remote(console)
    let walker = InputWalker(limits: .passing, share: inputs.share, remote: remote)
    let report = beginProgress(walker, console)
    defer { report.finish() }
    let stream = ReportStream(by: processor) { file, found in
      let reports = try found.map(completing)
      return (
        lines: reports.flatMap { schema.line(of: $0, from: file) },
        isMissing: reports.contains(where: Self.lacksSymbols)
      )
    } consume: { file, result in
      switch result {
      case .success(let found):
        print(found.lines)
        if found.isMissing { isMissing = true }
      case .failure(let error):
        failures += 1
        print(ReportSchema.line(of: file, failed: Exit.describe(error).message ?? ""))
      }
    } progress: {
      report.note($0)
    }
    let inputs = try inputs.names(files) {
      // Who waits for an answer before the next name gets it.
      stream.drain()
      do { try lines.flush() } catch { problem = problem ?? error }
    }
    walker.walk(inputs) { file in
      let step = stream.bring(file)
      return problem == nil ? step : .stop
    }
    do {
      try stream.finish()
    } catch {
      problem = problem ?? error
    }
    if let problem {
      try? lines.flush()
      throw problem
    }
    try lines.flush()
    try inputs.check()
    try remote.check()
    if isStrict, failures > 0 {
      throw CommandFailure(
        GroupText.count(failures, "file", "files") + " could not be read", .incomplete)
    }
    try checkSymbols(isMissing: isMissing)
  }

  private func beginProgress(_ walker: InputWalker, _ console: Console) -> ProgressReport {
    // Lines on a terminal show the progress themselves.
    let isShown = !ndjson || !console.isOutputTerminal
    return progress.begin(
      "Reading", of: { inputs.areCountable(files) ? walker.count(files) : nil }, console,
      isShown: isShown)
  }

  private func processor(with given: GivenSymbols) -> FileProcessor {
    let processor = ReportProcessor(
      symbolicator: given.symbolicator, signer: Signer(rules: .standard), scrubber: nil)
    return limits.limiting(processor, symbols: symbols, cache: cache, app: nil)
  }

  /// Adds to a report what only its readers see: source lines, and files of other builds.
  private func completion(
    with given: GivenSymbols
  ) -> @Sendable (StoredReport) throws -> StoredReport {
    let (sources, count) = (given.sources, source.lines)
    return { stored in
      let stored =
        try count.map { count in
          try stored.showingSources(count) { try given.bundles(of: $0) }
        } ?? stored
      return try stored.tellingNamesakes(in: sources)
    }
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

  private static func lacksSymbols(_ stored: StoredReport) -> Bool {
    ImageSummary(of: stored.report).used.contains { entry in
      entry.isOwn && entry.image.symbols?.verdict != .found
    }
  }

  private func checkSymbols(isMissing: Bool) throws {
    if symbols.isRequired, isMissing { throw CommandFailure("symbols are missing", .incomplete) }
  }
}
