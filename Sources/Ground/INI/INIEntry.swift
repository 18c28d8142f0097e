/// A line of an INI file that gives a value.
public struct INIEntry: Hashable, Sendable {
  /// The name in the brackets above it; empty before the first ones. Cut at 49 bytes.
  public let section: String
  /// Cut at 49 bytes.
  public let name: String
  /// The rest of the line, without the blanks around it.
  public let value: String
  /// The line number, from 1.
  public let line: Int
}
