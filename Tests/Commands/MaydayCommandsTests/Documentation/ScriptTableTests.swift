import Bytes
import Glibc
import TestSupport
import Testing

/// The tables of scripts/README.md list the files under scripts/.
@Suite("The tables of the scripts")
struct ScriptTableTests {
  private static let folder = "\(Samples.root)/scripts"

  @Test("scripts/README.md has every script that can be run, and no other")
  func table() throws {
    let rows = try Self.text("scripts/README.md").split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    let scripts = try Self.scripts()
    #expect(scripts.count > 20)
    #expect(listed.sorted() == scripts)
  }

  @Test("Every script is called by the Makefile, by CI or by another script")
  func callers() throws {
    let sources = try Self.sources().map { "scripts/\($0)" }
    let callers = ["Makefile", ".ci/run"] + sources
    let texts = try callers.map { (name: $0, text: try Self.text($0)) }
    for script in try Self.scripts() {
      let path = "scripts/\(script)"
      let isCalled = texts.contains { $0.name != path && $0.text.contains(path) }
      #expect(isCalled, "nothing calls \(path)")
    }
  }

  private static func scripts() throws -> [String] {
    try sources().filter { access("\(folder)/\($0)", X_OK) == 0 }
  }

  /// The scripts and their modules, without Python's caches.
  private static func sources() throws -> [String] {
    try FolderListing.files(below: folder).filter {
      !$0.hasSuffix(".pyc") && !$0.hasSuffix(".md")
    }
  }

  private static func text(_ path: String) throws -> String {
    try ByteView(reading: "\(Samples.root)/\(path)", limit: 1 << 20).text
  }
}
