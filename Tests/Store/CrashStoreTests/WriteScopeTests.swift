import Database
import Testing

@testable import CrashStore

@Suite struct WriteScopeTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("A transaction that changes more than it declares fails, and nothing of it stays")
  func outside() throws {
    try fixture.file("one", [StoreFixture.report("k")])
    let error = #expect(throws: WriteOutsideScope.self) {
      try fixture.store.write(.debugFiles) { try $0.run("UPDATE reports SET version = 'x'") }
    }
    #expect(error?.tables == ["reports"])
    let setting = #expect(throws: WriteOutsideScope.self) {
      try fixture.store.write(app: "Tern") {
        try $0.run("INSERT INTO settings (name, value) VALUES ('a', 'b')")
      }
    }
    #expect(setting?.tables == ["settings"])
    #expect(
      try fixture.store.read {
        try $0.integer("SELECT count(*) FROM reports WHERE version = 'x'")
      } == 0)
    #expect(
      try fixture.store.read {
        try $0.integer("SELECT count(*) FROM settings WHERE name = 'a'")
      } == 0)
  }

  @Test("A statement prepared before counts, too")
  func again() throws {
    let change = "UPDATE settings SET value = 'x' WHERE name = 'none'"
    try fixture.store.write(.global) { try $0.run(change) }
    #expect(throws: WriteOutsideScope.self) {
      try fixture.store.write(app: "Tern") { try $0.run(change) }
    }
  }
}
