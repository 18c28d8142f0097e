/// A file of custom rules that cannot be parsed: none of them applies.
public struct CustomRulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A problem and its location.
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in Unicode scalars.
    public let column: Int
    public let reason: String

    /// `12:5: there is no action 'clas'; did you mean 'class'?`
    public var description: String { "\(line):\(column): \(reason)" }
  }

  /// At least one, from the top; no more than ``limit``.
  public let problems: [Problem]

  /// The most problems that are reported.
  static let limit = 20

  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
