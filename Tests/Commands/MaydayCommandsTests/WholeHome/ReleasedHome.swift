import Bytes
import Compression
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// A home that a released version made, and what that version answered about it.
///
/// `Golden/homes/VERSION` has the home as `home.tar.zst`, and the answers as `answers.json.zst`.
struct ReleasedHome {
  static let folder = Samples.root + "/Tests/Commands/MaydayCommandsTests/Golden/homes"
  static var versions: [String] { (try? FolderListing.names(in: folder))?.sorted() ?? [] }

  /// Answers by command line.
  let answers: [JSONMember]

  /// Unpacks the home of a version to `path`.
  init(_ version: String, to path: String) throws {
    let folder = "\(Self.folder)/\(version)"
    try #require(mkdir(path, 0o700) == 0)
    try Self.tar(["--extract", "--directory", path, "--file", folder + "/home.tar.zst"])
    let packed = try ByteView(reading: folder + "/answers.json.zst", limit: 1 << 26)
    let answers = try Zstandard.decompress(packed, limit: 1 << 28)
    self.answers = try #require(try JSONDocument.parse(answers).value.object)
  }

  /// Records a home of this version.
  static func record(_ home: String, as version: String) throws {
    let folder = "\(Self.folder)/\(version)"
    _ = mkdir(folder, 0o755)
    try tar([
      "--create", "--directory", home, "--sort=name", "--owner=0", "--group=0",
      "--exclude=./caches/*", "--file", folder + "/home.tar.zst", ".",
    ])
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    for words in try commands(for: home) {
      writer.key(words.joined(separator: " "))
      writer.value(try answer(to: words, home: home))
    }
    writer.endObject()
    writer.newLine()
    try Zstandard.compress(ByteView(writer.takeBytes())).array.withUnsafeBytes { bytes in
      let file = try #require(fopen(folder + "/answers.json.zst", "w"))
      #expect(fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count)
      #expect(fclose(file) == 0)
    }
  }

  /// The command lines whose answers are recorded: lists, and each group.
  private static func commands(for home: String) throws -> [[String]] {
    let lists = [
      ["groups", "--json", "--limit", "0"], ["reports", "--json", "--limit", "0"],
      ["apps", "--json"], ["stats", "--ledger", "--json"], ["releases", "--json", "--app", "Tern"],
      ["releases", "files", "--json", "--app", "Tern"], ["testers", "--json", "--app", "Tern"],
      ["testers", "groups", "--json", "--app", "Tern"], ["tokens", "--json"],
      ["accounts", "--json"], ["alerts", "--json"],
      ["rules", "history", "--json", "--app", "Tern"],
      ["symbols", "list", "--json"], ["symbols", "missing", "--json"],
      ["remote-config", "history", "Tern", "--json"], ["intake", "--json"],
    ]
    let groups = try #require(try answer(to: lists[0], home: home).array)
    return lists + groups.compactMap { $0["id"]?.string }.map { ["show", $0, "--json"] }
  }

  static func answer(to words: [String], home: String) throws -> JSONValue {
    let run = Run(words + ["--home", home])
    #expect(run.status == 0, "\(words): \(run.errors)")
    let text = run.output.replacing(home, with: "HOME")
    return try JSONDocument.parse(ByteView(text.utf8)).value
  }

  private static func tar(_ arguments: [String]) throws {
    let run = Run(["--zstd"] + arguments, program: "/usr/bin/tar")
    try #require(run.status == 0, "tar: \(run.errors)")
  }
}

extension JSONValue {
  /// The differences of this value, in a document of a later version, from a recorded one. Members may have
  /// been added.
  func differences(from recorded: JSONValue, at path: String = "") -> [String] {
    switch (recorded, self) {
    case (.object(let before), .object):
      return before.flatMap { member in
        let path = path + "." + member.key
        guard let value = self[member.key] else { return ["\(path) is missing"] }
        return value.differences(from: member.value, at: path)
      }
    // A list of the last days ends with another one each day: those are compared that both have.
    case (.array(let before), .array(let after))
    where (before + after).allSatisfy { $0["day"]?.string != nil }:
      return before.flatMap { day in
        after.first { $0["day"] == day["day"] }?.differences(from: day, at: path + "[]") ?? []
      }
    case (.array(let before), .array(let after)) where before.count == after.count:
      return zip(before, after).enumerated().flatMap { index, pair in
        pair.1.differences(from: pair.0, at: "\(path)[\(index)]")
      }
    default: return recorded == self ? [] : ["\(path): \(recorded) is now \(self)"]
    }
  }
}
