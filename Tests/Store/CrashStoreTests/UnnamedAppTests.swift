import Testing

@testable import CrashStore

@Suite struct UnnamedAppTests {
  @Test("Unnamed apps are listed, and removed empty or with their contents")
  func remove() throws {
    let fixture = try StoreFixture()
    let apps = fixture.store.apps
    let secrets = ["0a", "1b", "2c"].map { String(repeating: $0, count: 16) }
    let names = try secrets.map { try apps.app(forSecret: $0) }
    try fixture.store.reports.add([
      try StoreFixture.prepared("one", [StoreFixture.report("k")], app: names[0])
    ])
    #expect(try apps.unnamedCount() == 3)
    #expect(try apps.unnamed(isEmpty: false).map(\.reports) == [1, 0, 0])
    #expect(try apps.unnamed(isEmpty: true).map(\.name) == Array(names[1...]))
    #expect(try apps.removeUnnamed(Array(names.prefix(2)), areEmpty: true) == [names[1]])
    #expect(try apps.removeEmptyUnnamed(olderThan: -2, atMost: 5) == 1)
    #expect(try apps.removeUnnamed([names[0], "Tern"], areEmpty: false) == [names[0]])
    #expect(try apps.unnamedCount() == 0)
    try fixture.check()
  }
}
