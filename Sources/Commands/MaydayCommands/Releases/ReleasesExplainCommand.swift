import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import Identifiers
import JSON
import Rendering
import Terminal
import Updates

/// `mayday releases explain`
struct ReleasesExplainCommand: Command {
  static let name = "explain"
  static let summary = "Explain what a client is offered when it checks for an update."
  static let discussion = """
    The client is one of App Center's SDKs, for Android 5.0.2 or later. It is offered the file that was \
    added last among those that it may have. The answer says what the SDK does with the offer, and of \
    each file why it is offered or not. Nothing is changed or counted.
    """
  static let examples = [
    Example(
      "mayday releases explain 1.4.2 --app Tern", "What users of a release are offered."),
    Example(
      "mayday releases explain --tester ada@example.org --system 15.8",
      "Why a tester's telephone offers no update."),
  ]

  @Argument("VERSION", help: "The installed release: '1.4.2 (512)'.", isRequired: false)
  var versions: [String]
  @OptionGroup var app = AppOption()
  @Option(
    "--platform", help: "ios or android; optional if the app has files for one of them only.",
    value: "NAME")
  var platform: String?
  @Option(
    "--tester", isShared: false, help: "A tester; otherwise anyone with the app.", value: "EMAIL")
  var tester: String?
  @Option(
    "--group", help: "The only public group that counts, as for SDKs before 3.0.", value: "NAME")
  var group: String?
  @Option(
    "--system", help: "The version of the client's system; for Android the API level.",
    value: "VERSION") var system: String?
  @Option("--hash", help: "The installed build's hash, as its check sends it.", value: "HASH")
  var hash: String?
  @Option("--install", help: "The id of the installation in roll-outs.", value: "ID")
  var installation: String?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if versions.count > 1 { throw UsageError("one VERSION at most") }
    if let version = versions.first, Release(version).isEmpty {
      throw UsageError("VERSION is not a release")
    }
    if let platform, Self.platform(platform) == nil {
      throw UsageError("--platform is ios or android, not '\(platform)'")
    }
    if tester != nil, group != nil { throw UsageError("--tester and --group exclude each other") }
  }

  func run() throws {
    let service = try home.service()
    let app = try app.name(in: service)
    let question = CheckQuestion(
      platform: try platform(of: app, in: service),
      installed: versions.first.map { Release($0) } ?? Release(version: ""),
      hash: hash?.lowercased(), system: system, tester: tester, group: group,
      installation: installation)
    let explanation = try service.explainCheck(question, of: app)
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(explanation)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    let text = CheckExplanationText(explanation: explanation)
    try console.write(lines: text.lines(width: console.width, styles: console.styles))
  }

  private static func platform(_ text: String) -> ArtefactPlatform? {
    CheckQuestion.platforms.first { $0.rawValue.lowercased() == text.lowercased() }
  }

  /// The named platform, or the only one of the app's files.
  private func platform(
    of app: String, in service: any CrashService
  ) throws -> ArtefactPlatform {
    if let platform, let found = Self.platform(platform) { return found }
    let found = Set(try service.artefacts(of: app, release: nil).map(\.platform))
      .intersection(CheckQuestion.platforms)
    guard let only = found.first, found.count == 1 else {
      throw UsageError(
        found.isEmpty
          ? "--platform is missing: \(app) has no file for iOS or Android"
          : "--platform is missing: \(app) has files for iOS and Android")
    }
    return only
  }
}
