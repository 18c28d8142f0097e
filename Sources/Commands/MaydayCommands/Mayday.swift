import Arguments
import OfflineCommands
import Terminal

/// The program itself: `mayday`.
struct Mayday: Command {
  static let name = "mayday"
  static let summary = "Turn crash reports into symbolicated groups."
  static let discussion = """
    Results go to standard output, messages and progress to standard error. Every option can also \
    be set by the environment variable in brackets, or in a configuration file.
    """
  static var subcommands: [any Command.Type] {
    [
      TriageCommand.self,
      SymbolicateCommand.self,
      ReadReportsCommand.self,
      ScrubDumpCommand.self,
      CoresCommand.self,
      FormatsCommand.self,
      LookUpCommand.self,
      AtosCommand.self,
      Addr2lineCommand.self,
      LLVMAddr2lineCommand.self,
      LLVMSymbolizerCommand.self,
      IngestCommand.self,
      ServeCommand.self,
      UploadCommand.self,
      LoginCommand.self,
      LogoutCommand.self,
      ModelContextCommand.self,
      GroupsCommand.self,
      ReportsCommand.self,
      FieldsCommand.self,
      ShowCommand.self,
      VariantsCommand.self,
      RelatedCommand.self,
      ExplainCommand.self,
      RegressionsCommand.self,
      CorrelateCommand.self,
      VerifyCommand.self,
      ResolveCommand.self,
      ReopenCommand.self,
      IgnoreCommand.self,
      AssignCommand.self,
      NoteCommand.self,
      TicketCommand.self,
      MergeCommand.self,
      UnmergeCommand.self,
      SplitCommand.self,
      DistinctCommand.self,
      UndoCommand.self,
      ReleasesCommand.self,
      TestersCommand.self,
      RemoteConfigCommand.self,
      SymbolsCommand.self,
      TokensCommand.self,
      AccountsCommand.self,
      AlertsCommand.self,
      IntakeCommand.self,
      IntakeLinksCommand.self,
      DoctorCommand.self,
      RulesCommand.self,
      ScrubCommand.self,
      AppsCommand.self,
      StatsCommand.self,
      GCCommand.self,
      RemoveCommand.self,
      EraseCommand.self,
      BackupCommand.self,
      RestoreCommand.self,
      ExportCommand.self,
      ImportCommand.self,
      ConfigCommand.self,
      CompletionsCommand.self,
      ManCommand.self,
      CompleteCommand.self,
      WorkCommand.self, SymbolFactsCommand.self, SymbolLookUpCommand.self,
    ]
  }
  static let sections = [
    CommandSection(
      "Crash files", "triage", "symbolicate", "formats", "scrub-dump", "cores", "lookup"),
    CommandSection(
      "Stored reports", "ingest", "groups", "reports", "fields", "show", "variants", "related",
      "explain", "regressions", "correlate", "verify"),
    CommandSection(
      "Group decisions", "resolve", "reopen", "ignore", "assign", "note", "ticket", "merge",
      "unmerge", "split", "distinct", "undo"),
    CommandSection("Releases and updates", "releases", "testers", "remote-config"),
    CommandSection(
      "Server", "serve", "upload", "login", "logout", "mcp", "tokens", "accounts", "alerts",
      "intake", "intake-links", "scrub", "doctor"),
    CommandSection("Debug files and rules", "symbols", "rules"),
    CommandSection(
      "Home and apps", "apps", "stats", "gc", "remove", "erase", "backup", "restore", "export",
      "import"),
    CommandSection(
      "In place of other tools", "atos", "addr2line", "llvm-addr2line", "llvm-symbolizer"),
    CommandSection("Program", "config", "completions", "man"),
  ]
  static let examples = [
    Example("mayday triage crashes/ --symbols build/", "What crashes, where, and how often?"),
    Example("mayday symbolicate crash.ips --symbols App.dSYM", "One report, with files and lines."),
    Example("mayday ingest crashes/ && mayday groups", "Store reports, and list their groups."),
  ]

  @OptionGroup var general = GeneralOptions()

  func run() throws { try Console(colour: .auto).write(Self.firstSteps) }

  static let firstSteps = """
    Mayday turns crash reports into groups: what crashes, where in the code, and
    how often?

    Three commands to try first:

      mayday triage crashes/ --symbols build/
          Group every report in a folder. Nothing is stored.
      mayday symbolicate crash.ips --symbols App.dSYM
          Print a report with functions, files and lines.
      mayday ingest crashes/ && mayday groups
          Store the reports, and list their groups.

    All commands: mayday --help

    """
}
