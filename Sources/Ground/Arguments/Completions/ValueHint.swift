/// The completions that a shell offers for a value.
public enum ValueHint: Hashable, Sendable {
  /// Nothing: only the user knows.
  case none
  case file
  case folder
  case words([String])
  /// Values of the program itself, by the name that asks for them.
  case dynamic(String)
}
