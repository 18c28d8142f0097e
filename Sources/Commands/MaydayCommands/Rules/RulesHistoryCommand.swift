import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// `mayday rules history`
struct RulesHistoryCommand: Command {
  static let name = "history"
  static let summary = "List the rules that an app has had, or print those of one number."
  static let examples = [
    Example("mayday rules history", "All rules, newest first."),
    Example("mayday rules history 3 > tern.rules", "Rules number 3, as they were written."),
  ]

  @Argument("NUMBER", help: "A number of the list.") var number: Int?
  @Option("-a", "--app", help: "The app; optional if there is only one.", value: "NAME") var app:
    String?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    let app = try store.app(named: app)
    var history = try store.rules.history(of: app)
    if let number {
      history = history.filter { $0.number == number }
      guard let record = history.first else {
        throw RuleSetError.noSuchNumber(number, app: app)
      }
      if !output.json { return try console.write(Array(record.text.utf8)) }
    }
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginArray()
      for record in history { writer.write(record) }
      writer.endArray()
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var table = TextTable([
      .number("NUMBER"), .text("TIME"), .text("BY"), .text("RULES"), .number("LINES"),
      .text("", .atEnd),
    ])
    for record in history {
      let lines = record.text.split(whereSeparator: \.isNewline).count
      let note = record.source.map { "rolled back to \($0)" } ?? ""
      table.add([
        "\(record.number)", record.time.description, record.author.printable, record.builtIn,
        "\(lines)", note,
      ])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
    if history.isEmpty {
      console.say("\(app) still has its first rules: \(try store.rules.standard(of: app))")
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ record: RuleSetRecord) {
    beginObject()
    member("app", record.app)
    member("number", record.number)
    member("time", record.time.description)
    member("author", record.author)
    member("event", record.event.rawValue)
    member("rolled_back_to", record.source)
    member("builtin", record.builtIn)
    member("digest", record.digest)
    member("text", record.text)
    endObject()
  }
}
