/// A command line that means nothing, in words that name the part that is wrong.
public struct UsageError: Error, Hashable, Sendable {
  /// The problem: `unknown option --symbol; did you mean --symbols?`
  public let message: String
  /// The usage line of the command that was called; `nil` where none was.
  public var usage: String?
  /// The command line that prints the command's help.
  public var helpCommand: String?

  public init(_ message: String) { self.message = message }

  func calling(_ description: CommandDescription) -> UsageError {
    var error = self
    error.usage = description.usage
    error.helpCommand = (description.path + ["--help"]).joined(separator: " ")
    return error
  }
}
