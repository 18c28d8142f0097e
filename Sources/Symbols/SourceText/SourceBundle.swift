public import Bytes
public import Identifiers
internal import JSON
internal import ZipFiles

/// The source files of a build, in one file beside its debug file.
///
///     OFFSET  SIZE  FIELD
///          0     4  "SYSB"
///          4     4  version, little-endian: 1 or 2
///          8        a zip file; its member `manifest.json` is
///                   {"files": {"files/tmp/a.c": {"type": "source", "path": "/tmp/a.c"}, ...},
///                    "debug_id", "code_id", "arch", "object_name"}
///
/// Members are only ever found through their listed paths, so that no name leads out of the bundle.
///
/// Source: getsentry/symbolic, symbolic-debuginfo/src/sourcebundle; seen in bundles of sentry-cli
/// 3.8.
public struct SourceBundle: Sendable {
  /// The whole file.
  public let bytes: ByteView
  public let debugID: DebugID?
  public let codeID: CodeID?
  public let architecture: Architecture
  /// The bundle's name of the debug file that it was made from; may be empty.
  public let objectName: String
  private let zip: ZipFile
  /// For each path the index of its member.
  private let members: [Int]
  private let table: SourcePaths
  /// The names of the files in debug information.
  public let paths: [String]

  /// Whether `bytes` begin like one; four are enough.
  public static func isBundle(_ bytes: ByteView) -> Bool { bytes.starts(with: "SYSB".utf8) }

  /// Reads the list of files.
  ///
  /// - Throws: ``ParseError`` for bytes that are not a bundle, one of another version, and damage
  ///   to the list.
  public init(parsing bytes: ByteView) throws(ParseError) {
    let structure = "source bundle"
    guard Self.isBundle(bytes) else { throw ParseError(.notRecognised, in: structure, at: 0) }
    var head = ByteReader(bytes.bytes, reading: "source bundle")
    try head.skip(4)
    let version: UInt32 = try head.read()
    guard version == 1 || version == 2 else {
      throw ParseError(.unsupported("version \(version)"), in: structure, at: 4)
    }
    let zip = try ZipFile(parsing: bytes, limit: SourceLimits.members)
    guard let list = zip.members.first(where: { $0.name == "manifest.json" }) else {
      throw ParseError(.invalid("no manifest.json"), in: structure, at: 8)
    }
    let text = try zip.contents(of: list, limit: SourceLimits.manifest.bytes)
    let manifest = try JSONDocument.parse(text, limits: SourceLimits.manifest).value
    var indices: [String: Int] = [:]
    for (index, member) in zip.members.enumerated() where indices[member.name] == nil {
      indices[member.name] = index
    }
    var members: [Int] = []
    var paths: [String] = []
    for file in manifest["files"]?.object ?? [] {
      guard let index = indices[file.key], file.value["type"]?.string ?? "source" == "source"
      else { continue }
      members.append(index)
      paths.append(file.value["path"]?.string ?? file.key)
    }
    self.bytes = bytes
    self.zip = zip
    self.members = members
    self.paths = paths
    table = SourcePaths(paths)
    debugID = manifest["debug_id"]?.string.flatMap { DebugID($0) }
    codeID = manifest["code_id"]?.string.flatMap { CodeID($0) }
    architecture = Architecture(manifest["arch"]?.string ?? "unknown")
    objectName = manifest["object_name"]?.string ?? ""
  }

  /// The text of the file that debug information calls `path`; `nil` where the bundle has none, or
  /// its member is damaged.
  ///
  /// - Complexity: O(length of the file).
  public func text(of path: String) -> ByteView? {
    guard let index = table.index(of: path) else { return nil }
    return try? zip.contents(
      of: zip.members[members[index]], limit: SourceLimits.fileBytes)
  }
}
