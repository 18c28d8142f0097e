internal import Bytes

/// Text of a program that another report repeats.
enum QuotedWords {
  /// Whether the text after `prefix` is part of a report of another kind.
  static func follow(_ prefix: RawSpan) -> Bool {
    prefix.contains("Abort message") || prefix.contains("Application Specific")
      || prefix.contains("\"") || prefix.contains("Fatal error:") || prefix.contains("stderr:")
  }
}
