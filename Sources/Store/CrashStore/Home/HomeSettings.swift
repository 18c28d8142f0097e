public import Bytes

/// Texts of a home that its operator writes: the scrubbing rules.
///
/// A store hands out those of its home; ``SettingsFolder`` also has those of a home that is not opened.
public protocol HomeSettings: Sendable {
  /// The name of the scrubbing rules in messages, such as the path of their file.
  var scrubRulesName: String { get }

  /// The scrubbing rules.
  ///
  /// - Parameter limit: Maximum size in bytes.
  /// - Returns: `nil` if the home has none: the standard rules apply then.
  /// - Throws: `FileError` if they cannot be read, or are larger than `limit`.
  func scrubRules(limit: Int) throws -> ByteView?

  /// Sets the scrubbing rules; they are on disk when this returns.
  ///
  /// - Parameter replacing: Whether existing rules are replaced; otherwise they are an error.
  func setScrubRules(_ rules: ByteView, replacing: Bool) throws
}
