import TestSupport
import Testing

/// Files with the expected output.
enum Golden {
  /// Compares a text with the file `name` in `Golden` of the test's target.
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation,
    file: String = #filePath
  ) {
    let difference = GoldenFolder(beside: target(of: file)).difference(of: text, from: name)
    #expect(difference == nil, sourceLocation: sourceLocation)
  }

  /// A path in the folder of the target, `Tests/LAYER/TARGETTests`, that a file of tests belongs to.
  private static func target(of file: String) -> String {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let tests = parts.lastIndex(of: "Tests") ?? 0
    return parts.prefix(tests + 3).joined(separator: "/") + "/."
  }
}
