import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import Glibc
import Identifiers
import JSON
import Pipeline
import Rendering
import ServerStore
import Terminal

/// `mayday intake show`
struct IntakeShowCommand: Command {
  static let name = "show"
  static let summary = "Show a quarantined submission, or print its bytes."
  static let examples = [
    Example("mayday intake show 17", "Where it came from, and what is wrong with it."),
    Example("mayday intake show 17 --raw > submission", "The original bytes."),
  ]

  @Argument("ID", help: "Number shown by `mayday intake list`.") var id: Int
  @Flag("--raw", help: "Print the original bytes.") var isRaw
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let service = try home.service()
    let record = try service.quarantined(id)
    if isRaw {
      let body = try service.body(ofQuarantined: id)
      guard !console.isOutputTerminal else {
        throw CommandFailure("cannot write bytes to a terminal: redirect to a file", .wrongUsage)
      }
      return try console.write(body.array)
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.write(record)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var rows = [
      ("problem", record.problem), ("received", record.received.description),
      ("intake", record.route), ("size", DebugFileList.size(record.size)),
      ("tried", "\(record.attempts)"),
    ]
    for (name, value) in record.facts.sorted(by: { $0.key < $1.key })
    where name != IntakeFact.secret {
      rows.append((name, value))
    }
    try console.write(
      lines: rows.map { $0.0.printable.padded(to: 12) + $0.1.printable })
  }
}
