import TestSupport
import Testing

/// Files with the expected output.
enum Golden {
  private static let folder = GoldenFolder()

  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(folder.difference(of: text, from: name) == nil, sourceLocation: sourceLocation)
  }
}
