import Terminal
import CrashService
import Archives
import Arguments
import Glibc
import ReferenceReader

/// The program, from its command line to its exit status.
public enum MaydayProgram {
  /// The version that people see.
  static let version = Product.version
  /// The day of that version.
  static let releaseDate = "2026-11-21"

  /// - Parameter arguments: The command line, the program's own name first.
  /// - Returns: The exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    // The processes that call C libraries on files from outside are this program again; they must
    // do nothing else before.
    if arguments.dropFirst().first == UnpackChild.subcommand { return UnpackChild.run() }
    if arguments.dropFirst().first == ReferenceChild.subcommand { return ReferenceChild.run() }
    ProcessZone.becomeUTC()
    // A reader that goes away makes the next write fail.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error like a full disk, not the end of the process.
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

  /// The command of this process as it would be if it were started now: with the options of its
  /// command line, and the configuration file as it stands.
  ///
  /// - Throws: The mistakes in them.
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

  /// Runs a command, through a pager where a person reads what it prints.
  private static func run(_ command: any Command, general: any Command) throws {
    let isWanted = (general as? Mayday)?.general.noPager != true
    let paged = command as? any PagedCommand
    guard isWanted, paged?.isPaged == true, let pager = Pager() else { return try command.run() }
    // An error is shown after what was printed before it.
    defer { pager.finish() }
    do { try command.run() } catch is BrokenPipe {}
  }

  /// The command with all of its options, those of the environment and of the configuration file
  /// included.
  private static func command(of call: Call) throws -> any Command {
    let environment = environment
    var settings = Settings()
    if !call.ignoresSettings {
      let general = (call.general as? Mayday)?.general ?? GeneralOptions()
      settings = try ConfigurationFile(named: general.config).settings
      try program.check(settings)
    }
    let command = try call.finish(environment: environment, settings: settings)
    if call.ignoresSettings, !(command is any SandboxedCommand) { return command }
    // The variable holds for commands without the flag, too: the worker of a server is one.
    let isRequired =
      (command as? any SandboxedCommand)?.sandbox.isRequired
      ?? SandboxOptions.isOn(environment[SandboxOptions.variable])
    if isRequired { try SandboxOptions.require() }
    return command
  }

  /// The variables that may stand for options.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if text.hasPrefix("MAYDAY_"), let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }
}
