import Arguments

/// The program itself: `mayday`.
struct Mayday: Command {
  static let name = "mayday"
  static let summary = "Turn crash reports into symbolicated groups."
  static let discussion = """
    Data goes to standard output, words and progress to standard error. Each option can be given by \
    the environment variable in brackets.

    Exit status: 0 fine, 1 failed, 2 wrong usage, 3 not found, 4 not allowed, 6 incomplete (symbols \
    missing under --require-symbols, or a part of a batch refused).
    """
  static var subcommands: [any Command.Type] {
    [
      TriageCommand.self, SymbolicateCommand.self, LookUpCommand.self, IngestCommand.self,
      GroupsCommand.self, ReportsCommand.self, ShowCommand.self, ExplainCommand.self,
      SymbolsCommand.self, RulesCommand.self,
    ]
  }
  static let examples = [
    Example("mayday triage crashes/ --symbols build/", "Which crashes, where, and how often?"),
    Example("mayday symbolicate crash.ips --symbols App.dSYM", "One report, with lines."),
    Example("mayday ingest crashes/ && mayday groups", "Keep reports, and list their groups."),
  ]

  func run() throws { try Console(colour: .auto).write(Self.firstSteps) }

  static let firstSteps = """
    Mayday turns crash reports into groups: which crashes are there, where in the
    code, and how often?

    Three things to try first:

      mayday triage crashes/ --symbols build/
          Read every report in a folder, and see the groups. Nothing is kept.
      mayday symbolicate crash.ips --symbols App.dSYM
          See one report with its functions, files and lines.
      mayday ingest crashes/ && mayday groups
          Keep the reports, and list the groups.

    All commands: mayday --help

    """
}
