extension SwiftName {
  /// A normalised name as Swift's backtracer prints it: `load(from:)` for `MyApp.load(from:)`,
  /// `closure` for `closure in MyApp`.
  static func withoutModule(_ name: NameBytes) -> NameBytes? {
    let position = name.findLast(" in ")
    var start = position.map { $0 + 4 } ?? 0
    if name.has("initializer of ", at: start) { start += 15 }
    var end = start
    while name.at(end).isIdentifier { end += 1 }
    guard end > start else { return nil }
    if let position, end == name.count { return Array(name[..<position]) }
    guard name.at(end) == UInt8(ascii: "."), end + 1 < name.count else { return nil }
    return Array(name[..<start]) + name[(end + 1)...]
  }

  /// The text before a declaration in an extension, and where the declaration begins. A member that an app
  /// adds to a library's type is the app's: `(extension in Shop):Swift.Array.row()` is `Shop.Array.row()`.
  static func extensionModule(_ name: NameBytes) -> (module: NameBytes, start: Int) {
    guard name.has("(extension in "), let end = name.find("):") else { return ([], 0) }
    let module = name[14..<end]
    var type = end + 2
    while name.at(type).isIdentifier { type += 1 }
    guard module.first?.isIdentifier == true, module.allSatisfy({ $0.isIdentifier }),
      !isOfPlatform(module), type > end + 2, name.at(type) == UInt8(ascii: ".")
    else { return ([], end + 2) }
    return (Array(module), type)
  }

  /// Whether a module comes with the system or the tools. Its additions to the standard library's types get
  /// the module of those.
  private static func isOfPlatform(_ module: ArraySlice<UInt8>) -> Bool {
    module.first == UInt8(ascii: "_") || platform.contains { module.elementsEqual($0) }
  }

  private static let platform: [NameBytes] = [
    "AppKit", "Combine", "CoreData", "CoreFoundation", "CoreGraphics", "Darwin", "Dispatch",
    "Distributed", "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "Glibc", "Musl", "ObjectiveC", "Observation", "RegexBuilder",
    "SwiftData",
    "Swift", "SwiftUI", "SwiftUICore", "Synchronization", "Testing", "UIKit", "UIKitCore", "WinSDK",
    "XCTest",
    "os",
  ].map { Array($0.utf8) }
}
