import APIDocuments
import Arguments
import CommandSupport
import CrashService
import Documents
import JSON
import ServerStore
import Spelling
import Terminal

/// `mayday tokens add`
struct TokensAddCommand: Command {
  static let name = "add"
  static let summary = "Create a token and print it once."
  static let discussion = """
    Scopes: ingest sends reports, symbols sends debug files, read queries, triage changes groups, \
    releases publishes files, admin does everything.
    """
  static let examples = [
    Example("mayday tokens add CI --scope symbols --scope ingest", "For a CI build."),
    Example("mayday tokens add Grafana --scope read --for 90d", "Valid for ninety days."),
  ]

  @Argument("LABEL", help: "What the token is for.") var label: String
  @Option(
    "--scope", help: "What it allows: ingest, symbols, read, triage, releases, admin.",
    value: "SCOPE")
  var scopes: [String] = []
  @Option("-a", "--app", help: "Limit it to this app.", value: "APP") var app: String?
  @Option("--for", help: "How long it is valid.", value: "TIME") var duration: TimeLength?
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if scopes.isEmpty { throw UsageError("--scope is missing") }
    for scope in scopes where TokenScope(rawValue: scope) == nil {
      let names = TokenScope.allCases.map(\.rawValue)
      let near = Suggestion.nearest(to: scope, among: names)
      throw UsageError(
        "--scope: there is no '\(scope)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
          + "\n" + NameList.lines("Scopes", names))
    }
  }

  func run() throws {
    let (token, text) = try home.service().makeToken(
      label: label, scopes: Set(scopes.compactMap(TokenScope.init(rawValue:))), app: app,
      for: duration)
    let console = output.console
    guard output.json else { return try console.write(text + "\n") }
    var writer = JSONWriter(pretty: true)
    writer.write(NewToken(text: text, token: token))
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
