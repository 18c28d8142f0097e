/// A file of rules that cannot be parsed.
public struct ScrubError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  public let line: Int
  public let reason: String
  /// The path of the file; `nil` for rules given as bytes.
  public let path: String?

  init(line: Int, reason: String, path: String? = nil) {
    self.line = line
    self.reason = reason
    self.path = path
  }

  public var description: String { "\(path.map { $0 + ":" } ?? "line ")\(line): \(reason)" }
}
