import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

/// Names that no app has.
@Suite("Unknown apps") struct UnknownAppTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws {
    fixture = try StoreFixture()
    for name in ["Atlas", "Tern"] { try store.apps.add(name, secret: nil) }
  }

  @Test(
    "A misspelt name is an error that suggests the app",
    arguments: [
      ("Ternn", "Tern"), ("tern", "Tern"), ("TERN", "Tern"), ("Atlass", "Atlas"), ("Nope", nil),
    ] as [(String, String?)])
  func suggestion(name: String, near: String?) throws {
    let error = StoreError.unknownApp(name, near: near)
    #expect(error.failureKind == .notFound)
    #expect(error.description.contains("there is no app named \(name)"))
    if let near { #expect(error.description.contains("did you mean '\(near)'?")) }
    #expect(try store.apps.unknown(name) == error)
    #expect(throws: error) { try store.releases.list(of: name) }
    #expect(throws: error) { try store.retention.limits(of: name) }
    #expect(throws: error) { try store.apps.existingName(of: name) }
    #expect(throws: error) { try store.ledger.accounts(app: name) }
    #expect(throws: error) { try store.sessions.crashFree(app: name) }
    #expect(throws: error) { try store.distribution.artefacts(of: name) }
  }

  @Test("A release creates its app, unless the name may be a misspelt one")
  func release() throws {
    #expect(throws: StoreError.resembling("Ternn", other: "Tern")) {
      try store.releases.add([Release("1.0")], to: "Ternn")
    }
    #expect(throws: StoreError.alike("tern", other: "Tern")) {
      try store.releases.add([Release("1.0")], to: "tern")
    }
    #expect(try store.apps.list().map(\.name) == ["Atlas", "Tern"])
    try store.releases.add([Release("1.0")], to: "Heron")
    try store.apps.add("Ternn", secret: nil)
    try store.releases.add([Release("1.0")], to: "Ternn")
    #expect(try store.apps.list().map(\.name) == ["Atlas", "Heron", "Tern", "Ternn"])
  }
}
