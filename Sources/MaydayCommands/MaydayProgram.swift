import Archives
import Arguments
import Glibc

/// The program, from its command line to its exit status.
public enum MaydayProgram {
  /// The version that people see.
  static let version = "0.1.0"

  /// - Parameter arguments: The command line, the program's own name first.
  /// - Returns: The exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    // The process that unpacks archives is this program again; it must do nothing else before.
    if arguments.dropFirst().first == UnpackChild.subcommand { return UnpackChild.run() }
    ProcessZone.becomeUTC()
    // A reader that goes away is told by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error like a full disk, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    Interrupt.install()
    do {
      let program = Program(Mayday.self)
      switch try program.parse(Array(arguments.dropFirst()), environment: environment) {
      case .help(let description): try Console(colour: .never).write(description.help)
      case .version: try Console(colour: .never).write("mayday \(version)\n")
      case .run(let command): try command.run()
      }
      return ExitCode.fine.rawValue
    } catch {
      return Exit.report(error).rawValue
    }
  }

  /// The variables that may stand for options.
  private static var environment: [String: String] {
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
