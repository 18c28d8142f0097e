import Testing

@testable import Arguments

@Suite("Help")
struct HelpTests {
  private let description = Program(Sample.self).description

  @Test("The program's help lists its commands")
  func program() {
    #expect(
      description.help == """
        Sort and count shells.

        Usage: sample COMMAND

        The first paragraph is long enough that it has to be broken into two lines when
        it is printed for a person.

        The second one is not.

        Commands:
          sort  Sort shells.
          box   Manage boxes.

        Options:
          -h, --help     Show this help.
              --version  Show the version.

        """)
  }

  @Test("A command's help names options, defaults, variables and examples")
  func command() throws {
    let sort = try #require(description.subcommands.first)
    #expect(
      sort.help == """
        Sort shells.

        Usage: sample sort [options] BEACH [MORE...]

        Arguments:
          BEACH    Where to look first.
          MORE...  Where else to look.

        Options:
              --json      Print JSON. [$SAMPLE_JSON]
              --home DIR  Where the shells are kept. [$SAMPLE_HOME]
          -o, --order size|colour|weight
                          What to sort by. Default: weight. [$SAMPLE_ORDER]
              --limit N   The most shells to print. [$SAMPLE_LIMIT]
          -s, --skip-everything-that-is-like SHELL
                          Leave out shells like this one. May be given more than once.
                          [$SAMPLE_SKIP_EVERYTHING_THAT_IS_LIKE]
          -r, --reverse   The other way round. [$SAMPLE_REVERSE]
          -h, --help      Show this help.

        Examples:
          sample sort beach/ --order size
              The shells of the beach, the largest last.

        """)
  }

  @Test("No line of help is longer than 80 columns unless one word is")
  func width() {
    func check(_ description: CommandDescription) {
      for line in description.help.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
      description.subcommands.forEach(check)
    }
    check(description)
  }

  @Test("Words longer than a line are on their own line")
  func wrapping() {
    #expect(wrapped("a bb ccc dddd", width: 4) == ["a bb", "ccc", "dddd"])
    #expect(wrapped("a cccccc d", width: 4) == ["a", "cccccc", "d"])
    #expect(wrapped("", width: 4) == [])
  }

  @Test("Commands are listed in their sections, the others after them")
  func sections() {
    let arranged = Program(Toolbox.self).description.arrangedSubcommands
    #expect(arranged.map(\.title) == ["Tools", "Other commands"])
    #expect(arranged.map { $0.commands.map(\.name) } == [["box"], ["sort"]])
  }
}

private struct Toolbox: Command {
  static let name = "toolbox"
  static let summary = "Have tools."
  static var subcommands: [any Command.Type] { [Sort.self, Box.self, Secret.self] }
  static let sections = [CommandSection("Tools", "box", "hammer"), CommandSection("None", "saw")]
  func run() {}
}
