import Arguments
import Bytes
import CommandSupport
import CrashInput
import CrashModel
import CrashService
import CrashStore
import Grouping
import Identifiers
import JSON
import Pipeline
import Rendering
import Scrubbing
import SymbolSources
import Symbolication
import Terminal
import TriageModel

/// `mayday ingest`
struct IngestCommand: SandboxedCommand {
  static let name = "ingest"
  static let summary = "Ingest all crash reports under the given paths."
  static let discussion = """
    An exit status of 0 means that every report is on disk. The same bytes count only once, \
    however often they are ingested; a run that was interrupted can simply be repeated. Debug \
    files added earlier are used together with those of --symbols.

    Files that are not crash reports are listed and skipped. Exits with 6 if a report, or a file \
    that may be one, could not be read, including reports of an archive beyond 10,000 and one for each \
    16 bytes of it; with --exit-code, exits with 7 if a group is new or has regressed, which takes \
    precedence.
    """
  static let examples = [
    Example("mayday ingest crashes/ --symbols build/", "Everything in a folder."),
    Example("mayday ingest --watch /var/crash", "Existing reports, and new ones as they arrive."),
    Example(
      "mayday ingest nightly/ --exit-code new,regressed",
      "In CI: exit with 7 if a group is new or regressed."),
    Example("curl -s $URL | mayday ingest - --app Tern", "One report from standard input."),
  ]

  @Argument("PATH", help: "Files, folders and archives; - is standard input.") var paths: [String]
  @Option(
    "-a", "--app", help: "Assign all reports to this app; by default each report names its own.",
    value: "APP")
  var app: String?
  @Option(
    "-s", "--symbols", help: "Additional debug files: files, folders, dSYM bundles, archives.",
    value: "PATH")
  var symbols: [String] = []
  @Option(
    "--attach", help: "Attach a file to the report; only with a single report.", value: "FILE")
  var attach: [String] = []
  @Option(
    "--max-report",
    help: "The most bytes of a report, up to 16GiB. Files other than dumps are read into memory.",
    value: "SIZE")
  var maxReport = ByteSize(InputLimits.standard.fileBytes)
  @OptionGroup var watch = WatchOptions()
  @Option(
    "--exit-code",
    help: "Exit with 7 if a group is new, has regressed, or either.",
    value: "new,regressed")
  var exitConditions: ExitConditions?
  @Option(
    "--cache-bytes", help: "Limit for all symbol caches; the least recently used go first.",
    value: "SIZE")
  var cacheBytes = ByteSize(CacheFolder.standardBudget)
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    try ReportSizeOption.check(maxReport)
    try watch.validate(paths: paths, hasAttachments: !attach.isEmpty)
  }

  func run() throws {
    let console = output.console
    try InputPaths.check(paths + symbols)
    let store = try home.open()
    let scrubber = try Scrubber(of: store.settings)
    let attachments = try attach.map { try PreparedAttachment(reading: $0, scrubber) }
    // Before the first debug file is looked up: files added later cause the reports to be
    // reprocessed.
    let arrivals = try store.debugFiles.arrivals()
    if let app { try store.apps.checkName(ofApp: app) }
    let app = try app.map { try store.apps.keyName(of: $0) }
    let scan = DebugFileScanner().scan(symbols)
    for refusal in scan.refusals { console.warn(refusal.description.printable) }
    if watch.isOn {
      return try WatchSession(
        store: store, options: watch, app: app, limits: .reports(atMost: maxReport.bytes),
        symbols: DebugFileIndex(scan),
        isJSON: output.json, console: console,
        caches: CacheFolder(store.caches, budget: cacheBytes.bytes)
      ).run(paths)
    }
    let caches = CacheFolder(store.caches, budget: cacheBytes.bytes)
    let symbolicators = try StoredSymbolicators(
      in: store, after: [DebugFileIndex(scan)], pool: SymbolCachePool(folder: caches))
    let start = Timestamp.now
    let result = try ingest(
      into: store, as: app, by: symbolicators, arrivals: arrivals, attaching: attachments,
      scrubber, console)
    // Debug files may have arrived meanwhile, and an interrupted run may have left some reports.
    _ = try ReprocessingJob.run(in: store, console)
    caches.trim()
    let groups = try result.groups.map { group in
      IngestedGroup(
        id: group.id, reports: group.reports, isNew: group.isNew, isRegressed: group.isRegressed,
        signature: try store.groups.get(group.id).signature.text)
    }
    let text = IngestText(
      result: result, groups: groups,
      missing: result.reports == 0 ? [] : try MissingSymbols.list(in: store, since: start))
    if output.json {
      var writer = JSONWriter(pretty: true)
      text.write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: text.lines(width: console.width, styles: console.styles))
    }
    text.closing.lines(of: 80).forEach(console.say)
    sayHowToGetSymbols(of: text, console)
    if let met = exitConditions?.met(by: groups) { throw CommandFailure(met, .conditionMet) }
    let unread = result.refused.filter { !$0.isForeign }.count
    if unread > 0 {
      throw CommandFailure(
        "\(GroupText.count(unread, "file", "files")) could not be read", .incomplete)
    }
  }

  private func sayHowToGetSymbols(of text: IngestText, _ console: Console) {
    guard !output.json, text.missing.contains(where: \.isOwn) else { return }
    let forgotten =
      symbols.isEmpty
      ? ForgottenSymbols(paths: paths, text.result.refused, missing: text.missing).hint : nil
    console.say(
      forgotten?.printable ?? "'mayday symbols missing' shows how to get each debug file.")
  }

  private func ingest(
    into store: CrashStore, as app: String?, by symbolicators: StoredSymbolicators, arrivals: Int,
    attaching attachments: [PreparedAttachment], _ scrubber: Scrubber,
    _ console: Console
  ) throws -> IngestResult {
    let bar = ProgressBar("Reading", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let walker = InputWalker(
      limits: .reports(atMost: maxReport.bytes), dividing: LogChunker())
    let total = console.isErrorTerminal ? walker.count(paths).files : nil
    let processor = ReportProcessor(
      symbolicators: symbolicators.choice,
      signers: SignerChoice(in: store, standard: Signer(rules: .standard)), scrubber: scrubber,
      app: app)
    return try Ingest(into: store, processor: processor, app: app, arrivals: arrivals)
      .run(paths, walker: walker, received: .now, attaching: attachments) { done in
        bar.update(done, of: total.map { max($0, done) })
      }
  }
}
