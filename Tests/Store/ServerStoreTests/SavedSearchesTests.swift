import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("Saved searches") struct SavedSearchesTests {
  private let folder = ScratchFolder()
  private static let now = Timestamp(seconds: 1_780_000_000)

  private func store() throws -> ServerStore { try ServerStore(opening: folder.path("home")) }

  @Test("An account has its own, by name; the same name replaces one")
  func own() throws {
    let searches = SavedSearchesTable(in: try store())
    try searches.save(.init(name: "new ones", address: "/?q=is%3Anew"), of: "ann", now: Self.now)
    try searches.save(.init(name: "all", address: "/?status=all"), of: "ann", now: Self.now)
    try searches.save(.init(name: "all", address: "/?sort=reports"), of: "bob", now: Self.now)
    try searches.save(.init(name: "new ones", address: "/?q=x"), of: "Ann", now: Self.now)
    #expect(
      try searches.all(of: "ann") == [
        .init(name: "all", address: "/?status=all"), .init(name: "new ones", address: "/?q=x"),
      ])
    #expect(try searches.all(of: "bob").map(\.address) == ["/?sort=reports"])
    #expect(try searches.remove("all", of: "ann") && !searches.remove("all", of: "ann"))
    #expect(try searches.all(of: "bob").count == 1)
  }

  @Test("Names that cannot be shown, long addresses and too many are refused")
  func limits() throws {
    let searches = SavedSearchesTable(in: try store())
    for name in ["", " a", "a ", "a\u{1b}[31m", "a\nb", String(repeating: "x", count: 61)] {
      #expect(throws: SavedSearchError.invalidName(name)) {
        try searches.save(.init(name: name, address: "/"), of: "ann", now: Self.now)
      }
    }
    let long = "/?q=" + String(repeating: "x", count: 2_000)
    #expect(throws: SavedSearchError.tooLong) {
      try searches.save(.init(name: "a", address: long), of: "ann", now: Self.now)
    }
    for number in 0..<SavedSearchesTable.most {
      try searches.save(.init(name: "\(number)", address: "/"), of: "ann", now: Self.now)
    }
    #expect(throws: SavedSearchError.tooMany) {
      try searches.save(.init(name: "one more", address: "/"), of: "ann", now: Self.now)
    }
    // One that exists can still be replaced.
    try searches.save(.init(name: "7", address: "/?q=y"), of: "ann", now: Self.now)
    #expect(try searches.all(of: "ann").count == SavedSearchesTable.most)
  }

  @Test("They go with their account")
  func removed() throws {
    let store = try store()
    let (searches, accounts) = (SavedSearchesTable(in: store), AccountsTable(in: store))
    _ = try accounts.add("ann", role: .viewer, now: Self.now)
    try searches.save(.init(name: "a", address: "/?q=x"), of: "ann", now: Self.now)
    try accounts.remove("ann")
    #expect(try searches.all(of: "ann").isEmpty)
  }
}
