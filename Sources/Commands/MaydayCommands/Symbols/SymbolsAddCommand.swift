import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Pipeline
import Rendering
import SymbolSources
import Terminal

/// `mayday symbols add`
struct SymbolsAddCommand: SandboxedCommand {
  static let name = "add"
  static let summary = "Add debug files, and print the outcome for each."
  static let discussion = """
    Walks folders, dSYM bundles and archives, and skips files that are not debug files. The .dwo \
    and .dwp files of a program are stored with it if they are given, too, or lie where the \
    program expects them. Stored reports that were waiting for a file are reprocessed. Exits with 6 if a \
    file is refused, and with 1 if there is no debug file at all.
    """
  static let examples = [
    Example("mayday symbols add build/", "Everything a build produced."),
    Example("mayday symbols add Tern.app.dSYM.zip --json", "One bundle; outcomes as JSON."),
    Example(
      "mayday symbols add Tern.xcarchive --release '1.4.0 (512)'", "An archived release."),
    Example(
      "mayday symbols add dist/ --app tern --release '1.4.0 (512)'",
      "The source maps of a release's scripts."),
    Example(
      "mayday symbols add mapping.txt --app tern --release '1.4.0 (512)'",
      "The mapping of R8 or ProGuard of an Android app."),
  ]

  @Argument("PATH", help: "Files, folders, dSYM bundles and archives.") var paths: [String]
  @OptionGroup var release = ReleaseOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    let scan = DebugFileScanner().scan(paths)
    bar.finish()
    let store = try home.open()
    let ingest = DebugFileIngest(
      store: store, release: try release.release(in: store), app: release.app)
    let progress = ProgressBar("Storing", isOn: console.isErrorTerminal)
    var verdicts = try ingest.store(scan) { progress.update($0, of: $1, detail: $2) }
    progress.finish()
    let done = try ReprocessingJob.run(in: store, console)
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
    let loose = scan.supplementary.filter { supplementary in
      !verdicts.contains { $0.path == supplementary.path }
    }
    if !loose.isEmpty {
      console.say(
        "\(count(loose.count, "file of split units belongs", "files of split units belong")) to no"
          + " program here; add them together with it")
    }
    if done > 0 {
      console.say("\(count(done, "waiting report", "waiting reports")) reprocessed")
    }
    if refused > 0 {
      throw CommandFailure(
        "\(count(refused, "debug file was", "debug files were")) refused", .incomplete)
    }
    // A wrong path must not look like a build whose symbols were added.
    if verdicts.isEmpty {
      throw CommandFailure("there are no debug files under the paths", .failed)
    }
  }
}
