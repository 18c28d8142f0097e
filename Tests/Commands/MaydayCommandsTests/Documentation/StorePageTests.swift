import Database
import TestSupport
import Testing

@testable import ProgramSupport

/// docs/reference/store.md describes the database that a new home has.
@Suite("The page of the store")
struct StorePageTests {
  @Test("Every table is described, and the version of the schema is right")
  func tables() throws {
    let folder = ScratchFolder()
    let made = Run(["ingest", "--home", folder.path("home"), Samples.path("apple-ips")])
    #expect(made.status == 0)
    let database = try Connection(opening: folder.path("home/mayday.db"))
    let page = try DocumentationPage("docs/reference/store.md").lines.joined(separator: " ")
    let names = try #require(
      try database.text(
        "SELECT group_concat(name) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      )
    ).split(separator: ",")
    #expect(names.count > 40)
    for name in names where !name.hasPrefix("search_") {
      #expect(page.contains("`\(name)`"), "\(name)")
    }
    let version = try #require(try database.integer("PRAGMA user_version"))
    #expect(page.contains("`user_version` (\(version) in `mayday.db`)"))
  }
}
