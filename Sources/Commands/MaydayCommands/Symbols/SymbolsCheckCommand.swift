import Arguments
import CommandSupport
import CrashService
import CrashStore
import Identifiers
import JSON
import Pipeline
import SymbolSources
import Terminal

/// `mayday symbols check`
struct SymbolsCheckCommand: SandboxedCommand {
  static let name = "check"
  static let summary = "Check that a build's debug files are complete."
  static let discussion = """
    For every program and library under the given paths: is there a debug file with its id that \
    provides functions and lines, under the paths or in the home? With --release also: does any \
    report of that release lack a debug file of the app? Nothing is stored unless --add is given. \
    Exits with 6 if something is missing, and with 1 if there is neither a binary nor a debug \
    file.
    """
  static let examples = [
    Example("mayday symbols check Tern.xcarchive", "In the CI job that archives the build."),
    Example(
      "mayday symbols check build/ --release '1.4.0 (512)' --add", "Add them, too, then check."),
    Example("mayday symbols check App.app --except 'libswift*'", "Without third-party libraries."),
  ]

  @Argument("PATH", help: "Folders, bundles, archives and files of a build.") var paths: [String]
  @OptionGroup var release = ReleaseOptions()
  @Option(
    "--except", help: "Files that need no debug file; a trailing * matches any ending.",
    value: "NAME"
  )
  var exceptions: [String] = []
  @Flag("--add", help: "Add the debug files first, as `symbols add` does.") var isAdding
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check(paths)
    let looking = ProgressBar("Looking for binaries", isOn: console.isErrorTerminal)
    looking.update(0, of: nil)
    let scan = DebugFileScanner().scan(paths)
    looking.finish()
    let store = isAdding ? try home.open() : try home.openIfThere()
    let named = try release.release(in: store)
    if isAdding, let store {
      var kept = scan
      kept.files.removeAll { DebugFileVerdict(refusing: $0) != nil }
      let bar = ProgressBar("Storing", isOn: console.isErrorTerminal)
      _ = try DebugFileIngest(store: store, release: named).store(kept) {
        bar.update($0, of: $1, detail: $2)
      }
      bar.finish()
      _ = try ReprocessingJob.run(in: store, console)
    }
    let bar = ProgressBar("Reading debug files", isOn: console.isErrorTerminal)
    let findings = try BuildCheck(scan, store: store, exceptions: exceptions).findings {
      bar.update($0, of: $1)
    }
    bar.finish()
    let missing = try missingImages(of: named, in: store)
    let list = BuildCheckList(findings: findings, missing: missing, release: named?.release)
    try list.print(console, json: output.json)
    if findings.isEmpty {
      throw CommandFailure("there are neither binaries nor debug files under the paths", .failed)
    }
    if let problem = list.problem { throw CommandFailure(problem, .incomplete) }
  }

  private func missingImages(
    of release: (app: String, release: Release)?, in store: CrashStore?
  ) throws -> [MissingImage] {
    guard let release, let store else { return [] }
    // The first build of an app is checked before anything has crashed.
    guard try store.apps.list().contains(where: { $0.name == release.app }) else { return [] }
    return try store.debugFiles.missing(of: release.release, app: release.app)
  }
}
