import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import Documents
import Identifiers
import JSON
import Rendering
import ServerStore
import Terminal

/// `mayday alerts log`
struct AlertsLogCommand: Command {
  static let name = "log"
  static let summary = "List the last deliveries, newest first."
  static let discussion = "The log keeps the last 1,000 deliveries."
  static let examples = [
    Example("mayday alerts log --limit 5", "The last five deliveries and their responses.")
  ]

  @Option("-n", "--limit", help: "How many to list.", value: "N") var limit = 20
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if !(1...AlertsTable.longestLog).contains(limit) {
      throw UsageError("--limit must be 1 to \(AlertsTable.longestLog)")
    }
  }

  func run() throws {
    let deliveries = try home.alerts().alertLog(limit)
    let console = output.console
    if output.json { return try console.write(json: Self.document(deliveries)) }
    if deliveries.isEmpty { return console.say("Nothing has been sent yet.") }
    var table = TextTable([
      .text("TIME"), .text("RULE"), .text("TO"), .number("ALERTS"), .text("STATE", .atEnd),
      .number("TRIES"), .text("ANSWER", .atEnd),
    ])
    for delivery in deliveries {
      table.add([
        String(delivery.created.description.prefix(19)) + "Z",
        delivery.isTest ? "test" : "\(delivery.rule) \(delivery.kind.rawValue)",
        delivery.target.printable,
        "\(delivery.count + delivery.more)", Self.words(delivery.state),
        "\(delivery.attempts)", delivery.answer?.printable ?? "",
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
  }

  private static func words(_ state: AlertDelivery.State) -> String {
    switch state {
    case .waiting: "waiting"
    case .sent: "sent"
    case .failed: "failed"
    }
  }

  private static func document(_ deliveries: [AlertDelivery]) -> [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.write(deliveries)
    writer.newLine()
    return writer.takeBytes()
  }
}
