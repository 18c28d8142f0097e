/// What a shell offers for a value.
public enum ValueHint: Hashable, Sendable {
  /// Nothing: only the user knows.
  case none
  case file
  case folder
  case words([String])
  /// What the program itself knows, under a name that it is asked by.
  case dynamic(String)
}
