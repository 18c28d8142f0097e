import Arguments
import Bytes
import CrashModel
import CrashStore
import Grouping
import JSON
import Pipeline
import SymbolSources
import Symbolication

/// `mayday symbols add`
struct SymbolsAddCommand: Command {
  static let name = "add"
  static let summary = "File debug files, and say of each what became of it."
  static let discussion = """
    Folders, dSYM bundles and archives are walked; files that are no debug files are passed over. \
    Stored reports that waited for a file are done again. Exits with 6 when a file is refused, \
    with 1 when there is no debug file at all.
    """
  static let examples = [
    Example("mayday symbols add build/", "Whatever a build made."),
    Example("mayday symbols add Tern.app.dSYM.zip --json", "One bundle; the verdicts as JSON."),
  ]

  @Argument("PATH", help: "Files, folders, dSYM bundles and archives.") var paths: [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    let scan = DebugFileScanner().scan(paths)
    bar.finish()
    let store = try home.open()
    var verdicts = try add(scan.files, to: store, console)
    let done = try LateSymbols.run(in: store, console)
    verdicts += scan.refusals.map { DebugFileVerdict(refusal: $0) }
    if try output.printedJSON(verdicts, { $0.write($1) }) == false {
      let list = DebugFileVerdictList(verdicts: verdicts)
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    let refused = verdicts.filter { $0.outcome == .refused }.count
    let count = GroupText.count
    console.say(
      "\(count(verdicts.filter { $0.outcome == .added }.count, "debug file", "debug files")) added, "
        + "\(verdicts.filter { $0.outcome == .known }.count) known, \(refused) refused")
    if done > 0 {
      console.say("\(count(done, "report that waited", "reports that waited")) done again")
    }
    if refused > 0 {
      throw CommandFailure(
        "\(count(refused, "debug file was", "debug files were")) refused", .incomplete)
    }
    // A build whose symbols were looked for in the wrong place must not pass for done.
    if verdicts.isEmpty { throw CommandFailure("no debug file was found below the paths", .failed) }
  }

  /// Files each file once, with a record for each architecture in it.
  private func add(
    _ files: [DebugFile], to store: CrashStore, _ console: Console
  ) throws -> [DebugFileVerdict] {
    let bar = ProgressBar("Filing", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    var verdicts: [DebugFileVerdict] = []
    var rest = files[...]
    while let first = rest.first {
      let slices = rest.prefix { $0.path == first.path }
      rest = rest.dropFirst(slices.count)
      let refused = slices.compactMap { DebugFileVerdict(refusing: $0) }
      let usable = slices.filter { DebugFileVerdict(refusing: $0) == nil }
      if !usable.isEmpty {
        let records = usable.compactMap { DebugFileRecord($0, added: .now) }
        let isNew = try store.addDebugFile(first.fileBytes, records: records)
        verdicts += zip(usable, isNew).map { DebugFileVerdict($0, $1 ? .added : .known) }
      }
      verdicts += refused
      bar.update(files.count - rest.count, of: files.count, detail: first.path)
    }
    return verdicts
  }
}

extension DebugFileRecord {
  /// `nil` for a file without an id, which no report could name.
  fileprivate init?(_ file: DebugFile, added: Timestamp) {
    guard let id = file.debugID else { return nil }
    self.init(
      debugID: id, codeID: file.codeID, architecture: file.architecture,
      kind: file.usability == .debugInfo ? "debug-info" : "symbols", name: file.name,
      digest: file.digest, size: file.fileBytes.count, added: added)
  }
}
