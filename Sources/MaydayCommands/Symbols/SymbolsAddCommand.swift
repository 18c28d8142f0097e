import Arguments
import CrashStore
import JSON
import Pipeline
import SymbolSources

/// `mayday symbols add`
struct SymbolsAddCommand: SandboxedCommand {
  static let name = "add"
  static let summary = "File debug files, and say of each what became of it."
  static let discussion = """
    Folders, dSYM bundles and archives are walked; files that are no debug files are passed over. \
    The .dwo and .dwp files of a program are kept with it when they are given too, or lie where it says. \
    Stored reports that waited for a file are done again. Exits with 6 when a file is refused, \
    with 1 when there is no debug file at all.
    """
  static let examples = [
    Example("mayday symbols add build/", "Whatever a build made."),
    Example("mayday symbols add Tern.app.dSYM.zip --json", "One bundle; the verdicts as JSON."),
    Example(
      "mayday symbols add Tern.xcarchive --release '1.4.0 (512)'", "The archive of a release."),
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
    let filing = DebugFileFiling(
      store: store, release: try release.release(in: store), app: release.app)
    var verdicts = try filing.file(scan, console)
    verdicts += try filing.file(scan.bundles)
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
    let loose = scan.companions.filter { companion in
      !verdicts.contains { $0.path == companion.path }
    }
    if !loose.isEmpty {
      console.say(
        "\(count(loose.count, "file of split units belongs", "files of split units belong")) to no"
          + " program here; add them together with it")
    }
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
}
