/// A file of rules of one's own that cannot be read: none of it counts.
public struct OwnRulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One place and what is wrong there.
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

  /// The most problems that are listed.
  static let limit = 20

  /// A problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
