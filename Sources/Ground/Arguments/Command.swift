/// A command of the program: a struct whose wrapped properties are its options and arguments.
///
///     struct Serve: Command {
///       static let name = "serve"
///       static let summary = "Receive crash reports and show the groups they fall into."
///       @Option("--port", help: "The port to listen on.") var port = 8080
///
///       func run() throws { ... }
///     }
///
/// Help, usage and errors follow from the declarations, which ``CommandDescription`` holds as data.
public protocol Command: SendableMetatype {
  /// The word that calls it.
  static var name: String { get }
  /// Its purpose, in one sentence.
  static var summary: String { get }
  /// More than the summary, in paragraphs separated by an empty line.
  static var discussion: String { get }
  static var examples: [Example] { get }
  /// Commands that are called by a further word; a command that has them takes no arguments itself.
  static var subcommands: [any Command.Type] { get }
  /// The one of its subcommands that is meant where the command line names none.
  static var defaultSubcommand: (any Command.Type)? { get }
  /// How help arranges its subcommands; subcommands without a section come last.
  static var sections: [CommandSection] { get }
  /// Left out of help.
  static var isHidden: Bool { get }
  /// Whether it runs whatever a configuration file says: it explains the program, or that file.
  static var ignoresSettings: Bool { get }

  init()

  /// Refuses combinations that no single option shows to be wrong.
  func validate() throws(UsageError)

  func run() throws
}

extension Command {
  public static var discussion: String { "" }
  public static var examples: [Example] { [] }
  public static var subcommands: [any Command.Type] { [] }
  public static var defaultSubcommand: (any Command.Type)? { nil }
  public static var sections: [CommandSection] { [] }
  public static var isHidden: Bool { false }
  public static var ignoresSettings: Bool { false }

  public func validate() throws(UsageError) {}
}

/// Commands that help shows together.
public struct CommandSection: Hashable, Sendable {
  public let title: String
  /// The names of the commands, in their order.
  public let names: [String]

  public init(_ title: String, _ names: String...) {
    self.title = title
    self.names = names
  }
}

/// A command line that does something useful, for help.
public struct Example: Hashable, Sendable {
  public let commandLine: String
  /// Its purpose, in a sentence.
  public let meaning: String

  public init(_ commandLine: String, _ meaning: String) {
    self.commandLine = commandLine
    self.meaning = meaning
  }
}
