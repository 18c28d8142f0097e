import Archives
import Arguments
import CommandSupport
import CrashService
import Glibc
import OfflineCommands
import ReferenceReader
import Terminal

/// The program, from its command line to its exit status.
public enum MaydayProgram {
  /// The version that is printed.
  static let version = Product.version
  /// The date of that version.
  static let releaseDate = "2026-11-28"

  /// - Parameter arguments: The command line, the program's own name first.
  /// - Returns: The exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    // The processes that call C libraries on untrusted files are this program, too; they must do
    // nothing before that.
    if arguments.dropFirst().first == UnpackChild.subcommand { return UnpackChild.run() }
    if arguments.dropFirst().first == ReferenceChild.subcommand { return ReferenceChild.run() }
    ProcessTimeZone.becomeUTC()
    // A reader that goes away makes the next write fail, instead of killing the process.
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches its size limit is an error like a full disk, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    Interrupt.install()
    do {
      let words = try ToolName.words(of: arguments)
      if let version = ToolName.version(askedBy: words) {
        try Console(colour: .never).write(version)
        return ExitCode.fine.rawValue
      }
      switch try program.read(words) {
      case .help(let description): try HelpText.write(description.help)
      case .topic(let topic): try HelpText.write(topic.help)
      case .version: try Console(colour: .never).write("mayday \(version)\n")
      case .run(let call): try run(try command(of: call), general: call.general)
      }
      return ExitCode.fine.rawValue
    } catch {
      return Exit.report(error).rawValue
    }
  }

  /// The command of this process as if started now: with the same command line, and the
  /// configuration file as it is now.
  ///
  /// - Throws: The errors in them.
  static func currentCommand() throws -> (any Command)? {
    guard case .run(let call) = try program.read(Array(CommandLine.arguments.dropFirst())) else {
      return nil
    }
    return try command(of: call)
  }

  static let program = Program(
    Mayday.self, topics: HelpTopics.all,
    synonyms: [
      "ls": "groups", "list": "groups", "issues": "groups", "crashes": "reports",
      "events": "reports", "version": "--version", "get": "show", "view": "show", "cat": "show",
      "symbolize": "symbolicate", "symbolizer": "llvm-symbolizer", "server": "serve",
      "start": "serve",
      "add": "ingest", "close": "resolve", "delete": "remove", "rm": "remove", "status": "stats",
      "info": "stats", "check": "doctor",
    ])

  /// Runs a command, through a pager if its output is for a person.
  private static func run(_ command: any Command, general: any Command) throws {
    let isWanted = (general as? Mayday)?.general.noPager != true
    let paged = command as? any PagedCommand
    guard isWanted, paged?.isPaged == true, let pager = Pager() else { return try command.run() }
    // An error is shown after the output printed before it.
    defer { pager.finish() }
    do { try command.run() } catch is BrokenPipe {}
  }

  /// The command with all of its options, including those from the environment and the
  /// configuration file.
  private static func command(of call: Call) throws -> any Command {
    let environment = ProgramEnvironment.variables
    var settings = Settings()
    if !call.ignoresSettings {
      let general = (call.general as? Mayday)?.general ?? GeneralOptions()
      settings = try ConfigurationFile(named: general.config).settings
      try program.check(settings)
    }
    let command = try call.finish(environment: environment, settings: settings)
    if call.ignoresSettings, !(command is any SandboxedCommand) { return command }
    // The variable also applies to commands without the flag, such as a server's worker.
    let isRequired =
      (command as? any SandboxedCommand)?.sandbox.isRequired
      ?? SandboxOptions.isOn(environment[SandboxOptions.variable])
    if isRequired { try SandboxOptions.require() }
    return command
  }
}
