import Arguments
import Bytes
import CommandSupport
import CrashService
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
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func validate() throws(UsageError) {
    if !(1...AlertsTable.longestLog).contains(limit) {
      throw UsageError("--limit must be 1 to \(AlertsTable.longestLog)")
    }
  }

  func run() throws {
    let alerts = AlertsTable(in: try ServerStore(opening: home.existingFolder()))
    let deliveries = try alerts.log(limit)
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
        delivery.isTest ? "test" : "\(delivery.rule) \(delivery.kind.rawValue)", delivery.target,
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
    writer.beginArray()
    for delivery in deliveries {
      writer.beginObject()
      writer.member("id", delivery.id)
      writer.member("rule", delivery.isTest ? nil : delivery.rule)
      writer.member("kind", delivery.kind.rawValue)
      writer.member("target", delivery.target)
      writer.member("created", delivery.created.description)
      writer.member("alerts", delivery.count)
      writer.member("more", delivery.more)
      writer.member("state", words(delivery.state))
      if case .waiting(let due) = delivery.state { writer.member("due", due.description) }
      if case .sent(let time) = delivery.state { writer.member("finished", time.description) }
      if case .failed(let time) = delivery.state { writer.member("finished", time.description) }
      writer.member("tries", delivery.attempts)
      writer.member("answer", delivery.answer)
      writer.endObject()
    }
    writer.endArray()
    writer.newLine()
    return writer.takeBytes()
  }
}
