/// Where the project keeps its samples and debug files.
enum Samples {
  static let root =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
  /// A universal program, and a small one for Linux.
  static let universal = root + "/Symbols/apple/1.1.0/macos/Tern.app.dSYM"
  static let tern = root + "/Symbols/variants/plain"
  static let symbols = root + "/Symbols/apple"

  static func path(_ name: String) -> String { "\(root)/Samples/\(name)" }
}
