/// One declared option, flag or argument, as data.
public struct Parameter: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Present or not.
    case flag
    /// A name with a value.
    case option
    /// A value that is known by its place.
    case argument
  }

  public var kind: Kind
  /// `-o`, `--object`; empty for an argument.
  public var names: [String]
  /// The name of the value in help: `FILE`; empty for a flag.
  public var valueName: String
  public var help: String
  /// Its default; `nil` when there is none.
  public var defaultText: String?
  /// Every value that is allowed, where they are few.
  public var choices: [String]
  /// A value for the message about one that is wrong.
  public var example: String?
  public var isRepeated: Bool
  public var isRequired: Bool
  /// The value of an option that may stand without one: `--source` and `--source=9`.
  public var impliedText: String?
  /// Whether a value may begin with `-` where no option does, such as `-is:open`.
  public var takesDashes = false
  /// Whether its environment variable and settings for several commands reach it. They do not where options of
  /// other commands have its name with another meaning: only the section of its own command does.
  public var isShared = true

  /// The name that stands for it in messages: the long one, or the value's.
  public var displayName: String {
    names.first { $0.hasPrefix("--") } ?? names.first ?? valueName
  }

  /// A hint at `-` if the parameter takes standard input; otherwise empty.
  var standardInputHint: String {
    help.contains("- is standard input") ? "; write - for standard input" : ""
  }

  /// An argument as usage shows it: `PATH...` where it may be repeated, unless the name says itself
  /// what is, as in `ID... TEXT`.
  var termInUsage: String {
    isRepeated && !valueName.contains("...") ? valueName + "..." : valueName
  }

  /// The environment variable that stands for it where the command line does not name it:
  /// `MAYDAY_SYMBOLS` for `--symbols`; `nil` for arguments, and for an option that is not shared.
  ///
  /// - Parameter prefix: `MAYDAY`.
  public func environmentVariable(prefix: String) -> String? {
    environmentVariables(prefix: prefix).first
  }

  /// All variables that stand for it, that of its first name before the others.
  func environmentVariables(prefix: String) -> [String] {
    guard isShared else { return [] }
    return settingNames.map { prefix + "_" + String($0.uppercased().map { $0 == "-" ? "_" : $0 }) }
  }

  /// Its name in a configuration file: `no-inlines` for `--no-inlines`; `nil` for arguments.
  public var settingName: String? { settingNames.first }

  /// All of its names in a configuration file: an option that was renamed keeps its former one.
  var settingNames: [String] {
    names.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
  }
}
