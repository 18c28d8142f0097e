internal import Bytes

/// The project's own sources, for tests of rules that they keep.
public enum SourceTree {
  private static let folder = Samples.root + "/Sources"

  /// The folders of all targets: `Ground/Bytes`.
  private static func targets() throws -> [String] {
    try FolderListing.names(in: folder).sorted().flatMap { layer in
      layer.hasSuffix(".md")
        ? [] : try FolderListing.names(in: "\(folder)/\(layer)").map { "\(layer)/\($0)" }
    }
  }

  /// The names of all targets, C modules among them.
  public static func names() throws -> [String] {
    try targets().map { String($0.split(separator: "/")[1]) }.sorted()
  }

  /// The folder of the sources of a target.
  public static func folder(of target: String) throws -> String {
    guard let found = try targets().first(where: { $0.hasSuffix("/\(target)") }) else {
      fatalError("no target is called \(target)")
    }
    return "\(folder)/\(found)"
  }

  /// The folder of the tests of a target.
  public static func tests(of target: String) throws -> String {
    "\(Samples.root)/Tests/\(try folder(of: target).dropFirst(folder.utf8.count + 1))Tests"
  }

  /// The Swift files of all targets, each below the folder of its target: `Bytes/ByteView.swift`.
  public static func files() throws -> [(name: String, text: String)] {
    try targets().flatMap { target in
      try FolderListing.files(below: "\(folder)/\(target)").filter { $0.hasSuffix(".swift") }.map {
        let text = try ByteView(reading: "\(folder)/\(target)/\($0)", limit: 1 << 20).text
        return ("\(target.split(separator: "/")[1])/\($0)", text)
      }
    }
  }
}
