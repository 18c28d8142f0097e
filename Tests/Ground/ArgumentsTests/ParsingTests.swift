import Testing

@testable import Arguments

@Suite("Command lines")
struct ParsingTests {
  private static let program = Program(Sample.self)

  private func sort(_ line: String, _ environment: [String: String] = [:]) throws -> Sort {
    let words = line.split(separator: " ").map(String.init)
    guard
      case .run(let command) = try Self.program.parse(words, environment: environment),
      let sort = command as? Sort
    else { throw UsageError("not 'sort'") }
    return sort
  }

  @Test(
    "Every spelling of an option gives its value",
    arguments: [
      "sort b -o size", "sort b -osize", "sort b -o=size", "sort b --order size",
      "sort b --order=size", "sort --order=size b", "sort -ro size b",
    ])
  func spellings(line: String) throws {
    let sort = try sort(line)
    #expect(sort.order == .size)
    #expect(sort.first == "b")
  }

  @Test("Options that are not given have their defaults")
  func defaults() throws {
    let sort = try sort("sort b")
    #expect(sort.order == .weight)
    #expect(sort.limit == nil)
    #expect(sort.skip == [])
    #expect(!sort.reverse && !sort.common.json)
    #expect(sort.more == [])
  }

  @Test("Lists, numbers, groups and arguments")
  func values() throws {
    let sort = try sort("sort b -s x --json -sy c --limit -3 --home=/h - d")
    #expect(sort.skip == ["x", "y"])
    #expect(sort.limit == -3)
    #expect(sort.common.json)
    #expect(sort.common.home == "/h")
    #expect(sort.first == "b")
    #expect(sort.more == ["c", "-", "d"])
  }

  @Test("After -- everything is an argument")
  func terminator() throws {
    let sort = try sort("sort -r -- --json -x")
    #expect(sort.first == "--json")
    #expect(sort.more == ["-x"])
    #expect(!sort.common.json)
  }

  @Test("The environment supplies options missing on the command line")
  func environment() throws {
    let environment = [
      "SAMPLE_ORDER": "colour", "SAMPLE_JSON": "1", "SAMPLE_REVERSE": "no",
      "SAMPLE_SKIP_EVERYTHING_THAT_IS_LIKE": "a:b", "SAMPLE_LIMIT": "",
    ]
    let sort = try sort("sort b", environment)
    #expect(sort.order == .colour)
    #expect(sort.common.json)
    #expect(!sort.reverse)
    #expect(sort.skip == ["a", "b"])
    #expect(sort.limit == nil)
    let overruled = try self.sort("sort b -o size -s c", environment)
    #expect(overruled.order == .size)
    #expect(overruled.skip == ["c"])
  }

  @Test("Two commands of one type share no values")
  func separate() throws {
    let first = try sort("sort b --json -s x")
    let second = try sort("sort c")
    #expect(first.common.json && !second.common.json)
    #expect(second.skip == [])
  }

  @Test(
    "Mistakes are named, with what was probably meant",
    arguments: [
      ("", nil),
      ("tirage", "unknown command 'tirage'"),
      ("srot b", "unknown command 'srot'; did you mean 'sort'?"),
      ("box ad", "unknown command 'ad' of 'box'; did you mean 'add'?"),
      ("--json sort", "unknown option --json; options follow the command's name"),
      ("sort", "BEACH is missing"),
      ("sort b --jsno", "unknown option --jsno; did you mean --json?"),
      ("sort b --ordr=size", "unknown option --ordr; did you mean --order?"),
      ("sort b --skip", "unknown option --skip; did you mean --skip-everything-that-is-like?"),
      ("sort b --frobnicate", "unknown option --frobnicate"),
      ("sort b -x", "unknown option -x"),
      ("sort b -rx", "unknown option -x"),
      ("sort b --json=yes", "--json takes no value"),
      ("sort b --limit", "--limit needs a value: --limit N"),
      ("sort b --limit --json", "--limit needs a value: --limit N"),
      ("sort b --limit -q", "--limit needs a value: --limit N"),
      ("sort b --limit many", "--limit cannot be 'many': write it like 20"),
      (
        "sort b --order sise",
        "--order cannot be 'sise': must be one of size, colour, weight; did you mean size?"
      ),
      ("sort b --limit 0", "--limit 0 prints nothing"),
      ("box add 1 2", "unexpected argument '2'"),
      ("help sotr", "unknown command 'sotr'; did you mean 'sort'?"),
    ] as [(String, String?)])
  func mistakes(line: String, message: String?) throws {
    let words = line.split(separator: " ").map(String.init)
    guard let message else {
      _ = try Self.program.parse(words)
      return
    }
    let error = #expect(throws: UsageError.self) { try Self.program.parse(words) }
    #expect(error?.message == message)
    #expect(error?.helpCommand?.hasSuffix("--help") == true)
    #expect(error?.usage != nil)
  }

  @Test("A wrong environment variable is named")
  func wrongEnvironment() {
    let error = #expect(throws: UsageError.self) {
      try sort("sort b", ["SAMPLE_LIMIT": "many"])
    }
    #expect(error?.message == "$SAMPLE_LIMIT cannot be 'many': write it like 20")
  }

  @Test(
    "Help and version are found wherever they are asked for",
    arguments: [
      ("--help", "sample"), ("-h", "sample"), ("help", "sample"),
      ("help box add", "sample box add"),
      ("sort --help", "sample sort"), ("sort --json -h b", "sample sort"), ("box", nil),
      ("box --help", "sample box"), ("box add --help", "sample box add"), ("--version", nil),
    ] as [(String, String?)])
  func help(line: String, path: String?) throws {
    switch try Self.program.parse(line.split(separator: " ").map(String.init)) {
    case .help(let description): #expect(description.path.joined(separator: " ") == path)
    case .version: #expect(line == "--version")
    case .topic: Issue.record("the program has no topics")
    case .run(let command): #expect(command is Box && line == "box")
    }
  }
}

@Suite struct ImpliedValueTests {
  struct Print: Command {
    static let name = "print"
    static let summary = "Print pages."

    @Option("--context", implied: 5, help: "Lines around each place.", value: "LINES") var lines:
      Int?
    @Argument("PLACE", help: "Where.", isRequired: false) var places: [String]

    func run() {}
  }

  @Test(
    "An option with an implied value never takes the next word",
    arguments: [
      (["1"], nil, ["1"]), (["--context", "7"], 5, ["7"]), (["--context=9", "7"], 9, ["7"]),
      (["7", "--context"], 5, ["7"]),
    ] as [([String], Int?, [String])])
  func implied(words: [String], lines: Int?, places: [String]) throws {
    guard case .run(let parsed) = try Program(Print.self).parse(words, environment: [:]) else {
      throw UsageError("not run")
    }
    let command = try #require(parsed as? Print)
    #expect(command.lines == lines)
    #expect(command.places == places)
  }
}
