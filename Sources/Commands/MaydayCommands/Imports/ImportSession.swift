import Arguments
import CommandSupport
import CrashService
import CrashStore
import Grouping
import Imports
import JSON
import Pipeline
import Rendering
import Scrubbing
import Symbolication
import Terminal

/// An import from another system: the home that it goes into, and what is printed of it.
struct ImportSession {
  let store: CrashStore
  private let context: ImportContext
  private let output: OutputOptions

  init(
    _ paths: [String], _ home: HomeOptions, _ author: AuthorOptions, _ output: OutputOptions
  ) throws {
    try InputPaths.check(paths)
    store = try home.open()
    self.output = output
    let arrivals = try store.debugFiles.arrivals()
    let symbolicators = try StoredSymbolicators(
      in: store, pool: SymbolCachePool(folder: CacheFolder(store.caches)))
    context = ImportContext(
      store: store,
      service: LocalService(
        home: try home.folder(), store: store, archive: ReportArchive.bytes(of:in:)),
      symbolicators: symbolicators.choice,
      signers: SignerChoice(in: store, standard: Signer(rules: .standard)),
      scrubber: try Scrubber(of: store.settings), arrivals: arrivals, author: author.name)
  }

  /// Runs the import, and prints its result.
  ///
  /// - Throws: The import's error; ``CommandFailure`` if something could not be read.
  func finish(
    _ body: (ImportContext, _ progress: @escaping (Int) -> Void) throws -> ImportResult
  ) throws {
    let console = output.console
    let bar = ProgressBar("Importing", isOn: console.isErrorTerminal)
    let result = try body(context) { bar.update($0, of: nil) }
    bar.finish()
    _ = try ReprocessingJob.run(in: store, console)
    let text = ImportText(result: result)
    if output.json {
      var writer = JSONWriter(pretty: true)
      text.write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: text.lines)
    }
    console.say(text.summary)
    if result.isIncomplete {
      throw CommandFailure("some of the export could not be read", .incomplete)
    }
  }
}
