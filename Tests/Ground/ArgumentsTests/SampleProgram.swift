import Arguments

/// A small program with one of everything.
struct Sample: Command {
  static let name = "sample"
  static let summary = "Sort and count shells."
  static let discussion = """
    The first paragraph is long enough that it has to be broken into two lines when it is printed \
    for a person.

    The second one is not.
    """
  static var subcommands: [any Command.Type] { [Sort.self, Box.self, Secret.self] }

  func run() {}
}

enum Order: String, CaseIterable, ArgumentValue {
  case size, colour, weight
}

struct Sort: Command {
  static let name = "sort"
  static let summary = "Sort shells."
  static let examples = [
    Example("sample sort beach/ --order size", "The shells of the beach, the largest last.")
  ]

  @OptionGroup var common = Common()
  @Option("-o", "--order", help: "What to sort by.") var order = Order.weight
  @Option("--limit", help: "The most shells to print.", value: "N") var limit: Int?
  @Option(
    "-s", "--skip-everything-that-is-like", help: "Leave out shells like this one.", value: "SHELL")
  var skip: [String] = []
  @Flag("-r", "--reverse", help: "The other way round.") var reverse
  @Argument("BEACH", help: "Where to look first.") var first: String
  @Argument("MORE", help: "Where else to look.", isRequired: false) var more: [String]

  func validate() throws(UsageError) {
    if limit == 0 { throw UsageError("--limit 0 prints nothing") }
  }

  func run() {}
}

struct Common {
  @Flag("--json", help: "Print JSON.") var json
  @Option("--home", help: "Where the shells are kept.", value: "DIR") var home: String?
}

struct Box: Command {
  static let name = "box"
  static let summary = "Manage boxes."
  static var subcommands: [any Command.Type] { [BoxAdd.self] }
  func run() {}
}

struct BoxAdd: Command {
  static let name = "add"
  static let summary = "Add a box."
  @Argument("NUMBER", help: "Its number.") var number: Int?
  func run() {}
}

struct Secret: Command {
  static let name = "__secret"
  static let summary = "Not for people."
  static let isHidden = true
  func run() {}
}
