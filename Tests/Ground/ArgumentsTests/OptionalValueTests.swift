import Testing

@testable import Arguments

@Suite("Options whose value may be left out, and that have former names")
struct OptionalValueTests {
  /// Fields are letters with commas between them.
  private struct Fields: ArgumentValue {
    static let none = Fields([])
    let names: [Substring]

    private init(_ names: [Substring]) { self.names = names }

    init?(argument: String) {
      guard argument.allSatisfy({ $0.isLetter || $0 == "," }) else { return nil }
      names = argument.split(separator: ",")
    }

    var argument: String { names.joined(separator: ",") }
    static var valueName: String { "FIELDS" }
    static func refusal(of argument: String) -> String? {
      argument.contains(":") ? "a colon means nothing" : nil
    }
    static func isPlain(_ word: String) -> Bool {
      word.contains(",") && Fields(argument: word) != nil
    }
  }

  private struct Print: Command {
    static let name = "print"
    static let summary = "Print."
    @Option("--fields", implied: Fields.none, help: "Which.", value: "FIELDS")
    var fields: Fields?
    @Option("--server", "--to", help: "Where.", value: "URL") var server: String?
    @Argument("WORD", help: "Which.", isRequired: false) var words: [String]

    func run() {}
  }

  private func read(
    _ words: [String], environment: [String: String] = [:], settings: Settings = Settings()
  ) throws -> Print {
    let program = Program(Print.self)
    guard
      case .run(let command) = try program.parse(
        words, environment: environment, settings: settings)
    else { throw UsageError("not run") }
    return try #require(command as? Print)
  }

  @Test("The next word is the value if it can be nothing else")
  func plain() throws {
    #expect(try read(["--fields", "a,b", "c"]).fields?.names == ["a", "b"])
    #expect(try read(["--fields", "a,b", "c"]).words == ["c"])
    #expect(try read(["--fields", "a"]).fields?.names == [])
    #expect(try read(["--fields", "a"]).words == ["a"])
    #expect(try read(["--fields=a"]).fields?.names == ["a"])
    #expect(try read(["--fields"]).fields?.names == [])
    #expect(try read(["a,b"]).words == ["a,b"])
  }

  @Test("A type may say why it refuses a value")
  func refusal() throws {
    let colon = #expect(throws: UsageError.self) { try read(["--fields=a:b"]) }
    #expect(colon?.message == "--fields cannot be 'a:b': a colon means nothing")
    let digit = #expect(throws: UsageError.self) { try read(["--fields=1"]) }
    #expect(digit?.message.hasPrefix("--fields cannot be '1': write it like") == true)
  }

  @Test("An option keeps its former name on the command line, in variables and in settings")
  func renamed() throws {
    #expect(try read(["--to", "x"]).server == "x")
    #expect(try read(["--server", "x"]).server == "x")
    #expect(try read([], environment: ["PRINT_TO": "x"]).server == "x")
    #expect(try read([], environment: ["PRINT_TO": "x", "PRINT_SERVER": "y"]).server == "y")
    for name in ["to", "server"] {
      let entry = Settings.Entry(section: [], name: name, value: "x", location: "f:1")
      #expect(try read([], settings: Settings([entry])).server == "x")
      try Program(Print.self).check(Settings([entry]))
    }
  }
}
