internal import APIDocuments
package import Arguments
internal import Batches
internal import Bytes
package import CommandSupport
internal import CrashInput
internal import CrashService
internal import Documents
internal import Files
internal import Grouping
internal import JSON
internal import ObjectStorage
internal import Pipeline
internal import Rendering
internal import SymbolSources
internal import Terminal

/// `mayday triage`
package struct TriageCommand: SandboxedCommand {
  package static let name = "triage"
  package static let summary =
    "Parse, symbolicate and group all crash reports under the given paths."
  package static let discussion = """
    Walks folders and archives (zip, tar, gz, zst) and recognises reports by content, not by name. \
    Other files are listed with the reason and do not stop the run. At most 10,000 reports of an \
    archive are read, and one more for each 16 bytes of it; unpack it to read the others. Nothing is \
    stored.

    Exits with 1 if there is no report; with --strict, also if any file is not a report or could not be read.

    --partial writes what is known of the reports to a file, instead of printing groups; --merge reads such \
    files and prints what one run over all of their reports prints. Reports that are in several files count \
    once.
    """
  package static let examples = [
    Example("mayday triage crashes/ --symbols build/", "Groups with functions and lines."),
    Example(
      "mayday triage crashes.zip --html triage.html", "A single page to read or mail."),
    Example(
      "mayday triage crashes/ --format github --baseline known.json",
      "Annotations in CI, and exit code 7 for a new crash."),
    Example(
      "mayday triage crashes/ --json | jq '.groups[].signature.text'", "Only the signatures."),
    Example(
      "mayday triage crashes/ --shard 3/16 --partial 3.mdp",
      "The third part of the work; any machine can do the others."),
    Example("mayday triage --merge *.mdp --html triage.html", "The parts as one triage."),
  ]

  @Argument(
    "PATH", help: "Files, folders and archives; - is standard input. With --merge: its files.",
    isRequired: false)
  var paths: [String]
  @OptionGroup var inputs = InputOptions()
  @OptionGroup var symbols = SymbolOptions()
  @OptionGroup var cache = SymbolCacheOptions()
  @OptionGroup var limits = FileLimitOptions()
  @Option(
    "-a", "--app", help: "Assign all reports to this app; by default each report names its own.",
    value: "APP")
  var app: String?
  @Option(
    "--max-report",
    help:
      "The most bytes of a report; 256 MiB by default, and 64 GiB for dumps, of which little is read.",
    value: "SIZE")
  var maxReport: ByteSize?
  @Flag("--strict", help: "Exit with 1 if any file is not a report, or could not be read.")
  var isStrict
  @Option("--html", help: "Write an HTML page to this file; - is standard output.", value: "FILE")
  var page: String?
  @Option(
    "--partial",
    help: "Write a part for --merge to this file, instead of printing; - is standard output.",
    value: "FILE")
  var partial: String?
  @Flag("--with-documents", help: "With --partial, keep the reports for mayday import.")
  var keepsDocuments
  @Flag("--merge", isShared: false, help: "The paths are files of --partial.") var isMerging
  @OptionGroup var reporting = TriageCIOptions()
  @OptionGroup var progress = ProgressOptions()
  @OptionGroup package var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  package init() {}

  package func validate() throws(UsageError) {
    try inputs.validate(paths, named: "PATH")
    try limits.validate()
    let form = reporting.form
    if page == "-" && output.json { throw UsageError("--html - and --json share standard output") }
    if page == "-" && form != .text {
      throw UsageError("--html - and --format \(form.rawValue) share standard output")
    }
    if output.json && form != .text && form != .json {
      throw UsageError("--json and --format \(form.rawValue) exclude each other")
    }
    if isMerging {
      let others: [(Bool, String)] = [
        (!symbols.paths.isEmpty, "--symbols"), (cache.place != nil, "--cache"),
        (app != nil, "--app"),
        (maxReport != nil, "--max-report"), (inputs.share != nil, "--shard"),
      ]
      for (isGiven, name) in others where isGiven {
        throw UsageError("\(name) belongs to the runs with --partial, not to --merge")
      }
      if paths.contains("-") { throw UsageError("--merge reads files, not standard input") }
    }
    if keepsDocuments, partial == nil || isMerging {
      throw UsageError("--with-documents belongs to --partial, and not to --merge")
    }
    if partial != nil {
      let others: [(Bool, String)] = [
        (page != nil, "--html"), (output.json, "--json"), (form != .text, "--format"),
        (reporting.baseline != nil, "--baseline"), (isStrict, "--strict"),
        (symbols.isRequired, "--require-symbols"),
      ]
      for (isGiven, name) in others where isGiven {
        throw UsageError("--partial only writes a file: \(name) belongs to the run with --merge")
      }
    }
  }

  package func run() throws {
    let console = output.console
    let parts = isMerging ? try merged(console) : try triaged(console)
    let folder = BatchSpill().folder
    if let partial {
      let merge = try BatchMerge(parts, in: folder)
      let counts =
        if partial == "-" {
          try merge.write { try console.write($0.array) }
        } else if ObjectAddress.isMeant(by: partial) {
          try put(merge, at: partial)
        } else if OutputFile.isPlain(partial) {
          try merge.write(to: partial)
        } else {
          // A device or a link is written to.
          try OutputFile.overwrite(partial) { write in try merge.write { try write($0) } }
        }
      let files = GroupText.count(counts.files, "file", "files")
      let reports = GroupText.count(counts.reports, "report", "reports")
      let name = partial == "-" ? "standard output" : partial.printable
      console.say("\(reports) from \(files) written to \(name)")
      return
    }
    let part = try BatchMerge.part(of: parts, in: folder)
    var result = try TriageResult(part)
    let refusedSymbols = part.head.refusedSymbols.map {
      RefusedFile(source: $0.path, reason: $0.reason)
    }
    try reporting.compare(&result)
    if let page {
      let page = (
        file: page,
        markup: TriagePage(
          sources: part.head.inputs, engine: part.head.engine, time: TriagePage.now,
          refusedSymbols: refusedSymbols
        ).markup(result)
      )
      if page.file == "-" {
        try console.write(page.markup)
      } else {
        try OutputFile.write(Array(page.markup.utf8), to: page.file)
      }
    }
    if let bytes = reporting.output(of: result) {
      try console.write(bytes)
      try reporting.writeSummary(of: result)
    } else if output.json || reporting.form == .json {
      try printDocument(TriageDocument(result, refusedSymbols: refusedSymbols), to: console)
    } else if page != "-" {
      let text = TriageText(width: console.readableWidth, styles: console.styles)
      try console.write(lines: text.lines(result, refusedSymbols: refusedSymbols))
      if !result.groups.isEmpty || !result.refused.isEmpty { console.say("") }
    }
    try result.check()
    TriageText.closing(result).lines(of: 80).forEach(console.say)
    if let page, page != "-" { console.say("Page written to \(page.printable)") }
    if symbols.paths.isEmpty, !isMerging,
      let hint = ForgottenSymbols(paths: paths, result.refused, missing: result.missing).hint
    {
      console.say(hint.printable)
    }
    if result.reports == 0 {
      throw CommandFailure(
        result.refused.contains { !$0.isForeign }
          ? "no report could be read" : "no crash report was found")
    }
    if isStrict, !result.refused.isEmpty {
      throw CommandFailure(
        GroupText.count(result.refused.count, "file is not a report", "files are not reports")
          + ", or could not be read")
    }
    if symbols.isRequired && result.missing.contains(where: \.isOwn) {
      throw CommandFailure("symbols are missing", .incomplete)
    }
    try reporting.check(result)
  }

  /// Stores a part as an object.
  private func put(_ merge: BatchMerge, at name: String) throws -> BatchMerge.Counts {
    let address = try ObjectAddress(parsing: name)
    let store = try CommandObjects.store()
    let file = try UnnamedFile(in: Folder.temporary)
    let counts = try merge.write { try $0.write(to: file.file.number, named: file.path) }
    try store.put(contentsOf: file.file.number, at: address)
    return counts
  }

  /// Prints groups and their reports as they are read.
  private func printDocument(_ document: TriageDocument, to console: Console) throws {
    guard console.jsonFilter == nil else {
      var writer = JSONWriter(pretty: true)
      writer.write(document)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var failure: (any Error)?
    var writer = JSONWriter(pretty: true) { bytes in
      guard failure == nil else { return }
      do {
        try console.write(bytes)
      } catch {
        failure = error
        document.result.stop(with: error)
      }
    }
    writer.write(document)
    writer.newLine()
    if let failure { throw failure }
    try console.write(writer.takeBytes())
  }

  private func merged(_ console: Console) throws -> [BatchPart] {
    let names = try inputs.names(paths)
    let remote = inputs.remote(console)
    let folder = BatchSpill().folder
    var parts: [BatchPart] = []
    /// Fetched parts, which are open until they are merged.
    var fetched: [BatchPart] = []
    for name in names {
      guard RemoteInputs.isMeant(by: name.text) else {
        parts.append(.file(try BatchFile(at: name.text)))
        continue
      }
      var problem: (any Error)?
      _ = remote.walk(name.text, limit: .max) { file in
        do {
          fetched.append(.file(try BatchFile(in: file.content.get(), named: file.name)))
          if fetched.count >= BatchMerge.mostAtOnce {
            fetched = [try BatchMerge.part(of: fetched, in: folder)]
          }
        } catch {
          problem = error
        }
        return problem == nil ? .next : .stop
      }
      if let problem { throw problem }
      try remote.check()
    }
    try names.check()
    guard parts.count + fetched.count > 0 else {
      throw CommandFailure("there is no file to merge")
    }
    return parts + fetched
  }

  private func triaged(_ console: Console) throws -> [BatchPart] {
    try inputs.check(paths)
    let given = try symbols.find(console, cache: cache)
    defer { given.finish() }
    let signer = Signer(rules: .standard)
    let processor = ReportProcessor(
      symbolicator: given.symbolicator, signer: signer, scrubber: nil, app: app)
    let limits = maxReport.map { InputLimits.reports(atMost: $0.bytes) } ?? .passing
    let remote = inputs.remote(console)
    let walker = InputWalker(
      limits: limits, dividing: LogChunker(), share: inputs.share, remote: remote)
    let names = try inputs.names(paths)
    let report = progress.begin(
      "Reading", of: { inputs.areCountable(paths) ? walker.count(paths) : nil }, console)
    defer { report.finish() }
    let head = BatchHead(
      engine: "mayday \(Product.version)", rules: signer.rules.digest, app: app,
      symbols: partial == nil ? "" : given.digest, largestReport: maxReport?.bytes,
      hasDocuments: keepsDocuments, inputs: paths,
      refusedSymbols: given.refusals.map { .init(path: $0.path, reason: $0.reason) })
    let limited = self.limits.limiting(processor, symbols: symbols, cache: cache, app: app)
    defer { limited.finish() }
    let parts = try Triage(processor: limited).parts(
      of: names, head: head, walker: walker, progress: report.note)
    try names.check()
    try remote.check()
    return parts
  }
}
