internal import Bytes

/// The message of Swift's runtime among the lines of application-specific information.
///
///     MODULE/FILE:LINE: Fatal error: TEXT
///     Fatal error: TEXT: file FILE, line LINE        of older versions
///     Fatal error: TEXT                              of release builds
///
/// Source: `AssertCommon.swift` and `Assert.cpp` of Swift's standard library.
enum SwiftFatalError {
  private static let words = [
    "Fatal error", "fatal error", "Precondition failed", "Assertion failed",
    "Fatal access conflict detected",
  ]
  /// Starts of lines that other libraries add around it, in varying order.
  private static let othersLines = [
    "abort() called", "*** Terminating app", "terminating ", "Crashing on exception: ", "BUG IN ",
  ]

  /// The message alone, which may span several lines; `nil` if there is none.
  static func message(in text: String) -> String? {
    let lines = text.textLines
    guard let start = lines.firstIndex(where: isFatalError) else { return nil }
    let rest = lines[(start + 1)...].prefix { line in
      !isFatalError(line) && !othersLines.contains { line.hasPrefix($0) }
    }
    return ([lines[start]] + rest).joined(separator: "\n").trimmingBlankEnds()
  }

  private static func isFatalError(_ line: Substring) -> Bool {
    words.contains { word in
      guard let range = line.firstRange(of: word) else { return false }
      let before = line[..<range.lowerBound]
      let after = line[range.upperBound...]
      // `assert` of C begins the same, but has the expression in brackets.
      return (before.isEmpty || before.hasSuffix(": "))
        && (after.isEmpty || after.hasPrefix(":") && !after.hasPrefix(": ("))
    }
  }
}
