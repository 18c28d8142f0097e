/// A file that is not an INI file.
public struct INIError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  public let reason: String

  public var description: String { "\(line): \(reason)" }
}
