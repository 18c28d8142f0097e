import AppPackages
import Arguments
import Bytes
import CommandSupport
import JSON
import Rendering
import SymbolSources
import Terminal
import Updates

/// `mayday releases inspect`
struct ReleasesInspectCommand: SandboxedCommand {
  static let name = "inspect"
  static let summary = "Show an artefact's metadata, and whether its debug files exist."
  static let discussion = """
    Reads the file of a release: identifier, version and build, the oldest supported system, the \
    hashes that update clients compare, a provisioning profile, and the id of each executable and \
    library. For each id: is there a debug file that provides functions and lines, in the home or \
    under --symbols? Nothing is stored.

    Reads .ipa, .apk, .aab, .app.zip, .msix, .appx and their bundles and uploads. For .pkg, .dmg, \
    .msi and .zip, give the version when adding them.
    """
  static let examples = [
    Example("mayday releases inspect Tern.ipa --symbols build/", "Before it is uploaded."),
    Example(
      "mayday releases inspect Tern.apk --require-symbols",
      "In a CI job: exits with 6 if a file is missing."),
  ]

  @Argument("FILE", help: "An artefact.") var file: String
  @Option(
    "--kind",
    help: "What the file is: ipa, apk, aab, app.zip, ...; by default the end of its name.",
    value: "KIND"
  )
  var kind: String?
  @Option(
    "--except", help: "Files that need no debug file; a trailing * matches any ending.",
    value: "NAME"
  )
  var exceptions: [String] = []
  @OptionGroup var symbols = SymbolOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check([file])
    let package = try AppPackageReader.read(file, as: try artefactKind()).package
    let scan = try symbols.scan(console)
    let check = BuildCheck(scan, store: try home.openIfThere(), exceptions: exceptions)
    let list = BuildCheckList(findings: try check.findings(of: package), missing: [], release: nil)
    try ArtefactInspection(file: file, package: package, list: list).print(
      console, json: output.json)
    if symbols.isRequired, let problem = list.problem {
      throw CommandFailure(problem, .incomplete)
    }
  }

  private func artefactKind() throws -> ArtefactKind? {
    guard let kind else { return nil }
    guard let found = ArtefactKind(rawValue: kind) else {
      let known = ArtefactKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--kind: \"\(kind)\" is not one of \(known)")
    }
    return found
  }
}
