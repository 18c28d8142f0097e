import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("Prefixes of the groups' ids")
struct PrefixTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private func file(_ text: String, app: String) throws -> String? {
    try store.reports.add([StoreFixture.prepared(text, [StoreFixture.report(text)], app: app)])
      .first?.reports.first?.group
  }

  @Test("A new prefix names all groups of the app; ids with the former ones find them")
  func change() throws {
    #expect(try file("a", app: "Tern") == "TERN-1")
    try store.apps.setPrefix("till", of: "Tern")
    #expect(try store.groups.list().map(\.id) == ["TILL-1"])
    #expect(try file("b", app: "Tern") == "TILL-2")
    try store.apps.setPrefix("Shop2", of: "Tern")
    for id in ["SHOP2-2", "TILL-2", "TERN-2", "tern-2"] {
      #expect(try store.groups.get(id).id == "SHOP2-2")
    }
    // Back to a former one, and twice the same.
    try store.apps.setPrefix("TERN", of: "Tern")
    try store.apps.setPrefix("TERN", of: "Tern")
    #expect(try store.groups.get("SHOP2-1").id == "TERN-1")
    #expect(try store.groups.get("TERN-1").id == "TERN-1")
    try fixture.check()
  }

  @Test("No app gets a prefix that another one has or had")
  func collisions() throws {
    #expect(try file("a", app: "Tern") == "TERN-1")
    #expect(try file("b", app: "Till") == "TILL-1")
    #expect(throws: StoreError.prefixTaken("TILL", by: "Till")) {
      try store.apps.setPrefix("till", of: "Tern")
    }
    try store.apps.setPrefix("KASSE", of: "Till")
    #expect(throws: StoreError.prefixTaken("TILL", by: "Till")) {
      try store.apps.setPrefix("TILL", of: "Tern")
    }
    // A new app takes the next free one.
    #expect(try file("c", app: "TILL!") == "TILL2-1")
    #expect(try store.groups.get("TILL-1").app == "Till")
    #expect(throws: StoreError.unknownApp("Gull", near: nil)) {
      try store.apps.setPrefix("GULL", of: "Gull")
    }
    try store.apps.clear(app: "Till")
    #expect(throws: StoreError.notFound("TILL-1")) { try store.groups.get("TILL-1") }
    try store.apps.setPrefix("TILL", of: "Tern")
    #expect(try store.groups.get("TILL-1").app == "Tern")
  }

  @Test(
    "A prefix has letters and digits only, a letter first",
    arguments: ["", "2X", "A-B", "A B", "ÄPFEL", "SEVENTEENLETTERSX", "A\u{0}", "TERN-1"])
  func form(prefix: String) throws {
    _ = try file("a", app: "Tern")
    #expect(throws: StoreError.invalidPrefix(prefix.uppercased())) {
      try store.apps.setPrefix(prefix, of: "Tern")
    }
  }

  @Test(
    "The prefix comes from the app's own part of an identifier",
    arguments: [
      ("org.example.tern", "TERN"), ("com.acme.shop.ios", "SHOPIOS"), ("de.acme.Shop", "SHOP"),
      ("com.acme.shop.debug", "SHOPDEBUG"), ("my-app", "MYAPP"), ("Tern 2.0.1", "TERN201"),
      ("v1.2.3", "V123"), ("com.tern", "COMTERN"), ("com..tern", "COMTERN"),
      ("org.example.1password", "APP1PASSWORD"), ("org.example.-", "APP"),
    ])
  func names(name: String, prefix: String) {
    #expect(AppName.prefix(of: name, attempt: 0) == prefix)
  }

  @Test("An unnamed app gets ids of its name when it is adopted")
  func adopted() throws {
    #expect(try file("a", app: "Tern") == "TERN-1")
    let unknown = try store.apps.app(forSecret: "5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10")
    let id = try #require(try file("b", app: unknown))
    try store.apps.adopt(secret: "5b1e", as: "org.example.tern")
    // Tern has TERN.
    #expect(try store.groups.get(id).id == "TERN2-1")
    #expect(try store.apps.list().map(\.prefix).sorted() == ["TERN", "TERN2"])
    // Other apps keep their ids under a new name.
    try store.apps.rename("org.example.tern", to: "Gull")
    #expect(try store.groups.get(id).id == "TERN2-1")
  }
}
