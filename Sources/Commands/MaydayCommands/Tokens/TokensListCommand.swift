import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday tokens list`
struct TokensListCommand: Command {
  static let name = "list"
  static let summary = "List tokens, newest first."
  static let discussion = "Their secrets are not stored, and so not shown."
  static let examples = [
    Example("mayday tokens list", "All tokens and their scopes."),
    Example("mayday tokens list --json | jq '.[] | select(.used == null)'", "Tokens never used."),
  ]

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let tokens = try home.service().tokens()
    guard try output.printedJSON(tokens, { $0.write($1) }) == false else { return }
    let console = output.console
    if tokens.isEmpty { return console.say("No tokens.") }
    var table = TextTable([
      .text("ID"), .text("LABEL", .atEnd), .text("SCOPES"), .text("APP", .atEnd), .text("UNTIL"),
      .text("USED"),
    ])
    for token in tokens {
      let until =
        token.revoked.map { "revoked \(GroupText.day($0))" } ?? token.expires.map(GroupText.day)
      table.add([
        token.id, token.label.printable,
        token.scopes.map(\.rawValue).sorted().joined(separator: " "),
        token.app?.printable ?? "", until ?? "", token.used.map(GroupText.day) ?? "never",
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }
}
