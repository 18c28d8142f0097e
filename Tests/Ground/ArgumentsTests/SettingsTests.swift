import Testing

@testable import Arguments

@Suite("Settings")
struct SettingsTests {
  private static let program = Program(
    Port.self, topics: [HelpTopic("tides", "When they come.", [.paragraph("Twice a day.")])])

  private func settings(_ lines: String...) -> Settings {
    Settings(
      lines.enumerated().map { index, line in
        // section|name|value
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        return Settings.Entry(
          section: parts[0].split(separator: " ").map(String.init), name: parts[1],
          value: parts[2], location: "f:\(index + 1)")
      })
  }

  private func dock(
    _ line: String, _ environment: [String: String] = [:], _ settings: Settings = Settings()
  ) throws -> Dock {
    let words = line.split(separator: " ").map(String.init)
    guard
      case .run(let command) = try Self.program.parse(
        words, environment: environment, settings: settings),
      let dock = command as? Dock
    else { throw UsageError("not 'dock'") }
    return dock
  }

  @Test("The command line overrides the environment, which overrides the settings")
  func precedence() throws {
    let file = settings("|pier|3", "|night|yes", "ship dock|pier|4", "|crew|a", "|crew|b")
    #expect(try dock("ship dock", [:], file).pier == 4)
    #expect(try dock("ship dock", [:], file).night)
    #expect(try dock("ship dock", [:], file).crew == ["a", "b"])
    #expect(try dock("ship dock", ["PORT_PIER": "5", "PORT_NIGHT": "no"], file).pier == 5)
    #expect(try !dock("ship dock", ["PORT_NIGHT": "no"], file).night)
    #expect(try dock("ship dock --pier 6 --crew c", ["PORT_PIER": "5"], file).pier == 6)
    #expect(try dock("ship dock --crew c", [:], file).crew == ["c"])
    #expect(try dock("ship dock").pier == 1)
  }

  @Test("The most specific section for a command wins")
  func sections() throws {
    #expect(try dock("ship dock", [:], settings("|pier|3", "ship|pier|4")).pier == 4)
    #expect(try dock("ship dock", [:], settings("ship sail|pier|3", "|pier|2")).pier == 2)
  }

  @Test("An option of the program is accepted before and after a command's name")
  func general() throws {
    for line in ["--log x ship dock", "ship dock --log x", "ship dock --log=x --pier 2"] {
      let words = line.split(separator: " ").map(String.init)
      guard case .run(let call) = try Self.program.read(words) else {
        Issue.record("no command")
        continue
      }
      #expect((call.general as? Port)?.log == "x")
    }
    let twice = try Self.program.read(["--log", "x", "ship", "dock", "--log", "y"])
    guard case .run(let call) = twice else {
      Issue.record("no command")
      return
    }
    #expect((call.general as? Port)?.log == "y")
    #expect(throws: UsageError.self) { try Self.program.read(["--log"]) }
  }

  @Test("A command may be implied if none is named")
  func defaultSubcommand() throws {
    #expect(try dock("ship").pier == 1)
    #expect(try dock("ship --pier 7").pier == 7)
    let error = #expect(throws: UsageError.self) { try dock("ship docj") }
    #expect(error?.message == "unknown command 'docj' of 'ship'; did you mean 'dock'?")
    guard case .help(let help) = try Self.program.parse(["ship", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(help.usage == "port ship [COMMAND]" && help.help.contains("This is the default."))
  }

  @Test("A command that needs words may be implied with them")
  func defaultWithWords() throws {
    let program = Program(Quay.self)
    func run(_ line: String) throws -> Load? {
      let words = line.split(separator: " ").map(String.init)
      guard case .run(let invocation) = try program.parse(words) else { return nil }
      return invocation as? Load
    }
    #expect(try run("load a b")?.crates == ["a", "b"])
    #expect(try run("a b")?.crates == ["a", "b"])
    let error = #expect(throws: UsageError.self) { try program.parse([]) }
    #expect(error?.message == "CRATE is missing")
  }

  @Test(
    "Mistakes are reported with their location and a suggestion",
    arguments: [
      (
        "ship dock|peir|2", "f:1: 'peir' is not an option of 'port ship dock'; did you mean 'pier'?"
      ),
      ("|nigth|yes", "f:1: 'nigth' is not an option of any command; did you mean 'night'?"),
      ("shipp|pier|2", "f:1: no command matches [shipp]; did you mean [ship]?"),
      (
        "|pier|two",
        "f:1: pier cannot be 'two': write it like 20 (for 'port ship dock')"
      ),
      ("ship dock|pier|two", "f:1: pier cannot be 'two': write it like 20"),
      ("|night|maybe", "f:1: night must be yes or no, not 'maybe'"),
      (
        "|wind|soutg",
        "f:1: wind cannot be 'soutg': must be one of north, south; did you mean south?"
      ),
      ("|pier|", "f:1: 'pier' has no value"),
      ("help|pier|2", "f:1: no command matches [help]"),
    ])
  func wrong(line: String, message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.program.check(settings(line)) }
    #expect(error?.problems == [message])
  }

  @Test("Every mistake is reported, and so is a value given twice")
  func several() {
    let file = settings("|log|x", "|log|y", "|crew|a", "|crew|b", "zoo|a|1")
    let error = #expect(throws: SettingsError.self) { try Self.program.check(file) }
    #expect(
      error?.problems == [
        "f:2: 'log' already has a value, from f:1", "f:5: no command matches [zoo]",
      ])
    #expect(throws: Never.self) { try Self.program.check(settings("ship|pier|2", "|log|x")) }
  }

  @Test("A value that an option rejects is reported with its source")
  func refused() {
    let error = #expect(throws: UsageError.self) {
      try dock("ship dock", [:], settings("|pier|x"))
    }
    #expect(error?.message == "f:1: pier cannot be 'x': write it like 20")
  }

  @Test("An option that is not shared is set by the section of its command alone")
  func notShared() throws {
    let shared = settings("|wind|north", "|night|yes", "|crew|a", "|crew|b", "|log|x")
    let environment = [
      "PORT_WIND": "south", "PORT_NIGHT": "1", "PORT_CREW": "c:d", "PORT_LOG": "y",
    ]
    try Self.program.check(shared)
    let own = settings(
      "ship sail|wind|7", "ship sail|log|yes", "ship sail|night|9", "ship|wind|north")
    try Self.program.check(own)
    func sail(_ environment: [String: String], _ settings: Settings) throws -> String {
      let invocation = try Self.program.parse(
        ["ship", "sail"], environment: environment, settings: settings)
      guard case .run(let command) = invocation, let sail = command as? Sail else { return "" }
      return "\(sail.wind) \(sail.crew ?? "none") \(sail.night ?? 0) \(sail.log)"
    }
    #expect(try sail(environment, shared) == "4 none 0 false")
    #expect(try sail(environment, own) == "7 none 9 true")
    #expect(try dock("ship dock", [:], shared).wind == .north)
    #expect(try dock("ship dock", environment).crew == ["c", "d"])
    for line in ["|wind|7", "ship|wind|7"] {
      #expect(throws: SettingsError.self) { try Self.program.check(settings(line)) }
    }
    let help = try #require(Self.program.description.subcommands.first?.subcommands.last)
    #expect(help.help.contains("--wind") && !help.help.contains("PORT_WIND"))
  }

  @Test("Settings in effect are listed with their sources")
  func effective() throws {
    let ship = try #require(Self.program.description.subcommands.first)
    let dock = try #require(ship.subcommands.first)
    let values = dock.effectiveValues(
      environment: ["PORT_NIGHT": "1"], settings: settings("|crew|a", "|crew|b"))
    let lines = values.map { "\($0.parameter.displayName) \($0.values) \($0.source)" }
    #expect(
      lines == [
        "--pier [\"1\"] builtIn", "--night [\"yes\"] environment(variable: \"PORT_NIGHT\")",
        "--crew [\"a\", \"b\"] settings(location: \"f:1\")", "--wind [] builtIn",
        "--log [] builtIn",
      ])
  }

  @Test("Topics are explained, and suggested if misspelt")
  func topics() throws {
    guard case .topic(let topic) = try Self.program.parse(["help", "tides"]) else {
      Issue.record("no topic")
      return
    }
    #expect(topic.help == "When they come.\n\nTwice a day.\n")
    let error = #expect(throws: UsageError.self) { try Self.program.parse(["help", "tdies"]) }
    #expect(error?.message == "unknown command 'tdies'; did you mean 'help tides'?")
  }
}

/// A program with an option of its own and a default command.
private struct Port: Command {
  static let name = "port"
  static let summary = "Run a port."
  static var subcommands: [any Command.Type] { [Ship.self] }
  @Option("--log", help: "Where to write.") var log: String?
  func run() {}
}

private struct Ship: Command {
  static let name = "ship"
  static let summary = "Handle ships."
  static var subcommands: [any Command.Type] { [Dock.self, Sail.self] }
  static let defaultSubcommand: (any Command.Type)? = Dock.self
  func run() {}
}

private struct Dock: Command {
  static let name = "dock"
  static let summary = "Bring a ship in."
  enum Wind: String, CaseIterable, ArgumentValue { case north, south }
  @Option("--pier", help: "Which pier.") var pier = 1
  @Flag("--night", help: "At night.") var night
  @Option("--crew", help: "Who helps.") var crew: [String] = []
  @Option("--wind", help: "Where from.") var wind: Wind?
  func run() {}
}

private struct Sail: Command {
  static let name = "sail"
  static let summary = "Send a ship out."
  @Option("--pier", help: "The name of the pier.") var pier: String?
  @Option("--wind", isShared: false, help: "How strong it is.") var wind = 4
  @Option("--crew", isShared: false, help: "Who sails.") var crew: String?
  @Option("--night", implied: 8, isShared: false, help: "Hours of night.") var night: Int?
  @Flag("--log", isShared: false, help: "Read the log.") var log
  func run() {}
}

private struct Quay: Command {
  static let name = "quay"
  static let summary = "Move crates."
  static var subcommands: [any Command.Type] { [Load.self] }
  static let defaultSubcommand: (any Command.Type)? = Load.self
  func run() {}
}

private struct Load: Command {
  static let name = "load"
  static let summary = "Load crates."
  @Argument("CRATE", help: "What to load.") var crates: [String]
  func run() {}
}
