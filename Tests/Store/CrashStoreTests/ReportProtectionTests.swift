import Database
import Testing

@testable import CrashStore

@Suite("Roles that see parts of an app's reports") struct ReportProtectionTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  @Test("A part is hidden from lower roles, and the submission from whoever misses another part")
  func parts() {
    var protection = ReportProtection()
    #expect(protection.isEmpty)
    #expect(protection.parts(hiddenFrom: .viewer).isEmpty)
    protection[.user] = .triage
    #expect(protection.parts(hiddenFrom: .viewer) == [.user, .submission])
    #expect(protection.parts(hiddenFrom: .triage).isEmpty)
    protection[.log] = .admin
    #expect(protection.parts(hiddenFrom: .triage) == [.log, .submission])
    #expect(protection.parts(hiddenFrom: .viewer) == [.user, .log, .submission])
    for part in ReportProtection.Part.allCases {
      protection[part] = .admin
      #expect(protection.parts(hiddenFrom: .admin).isEmpty)
    }
    for part in ReportProtection.Part.allCases { protection[part] = .viewer }
    #expect(protection.isEmpty)
  }

  @Test("It is set by app and survives a rename; what is unknown is an error, not visible")
  func stored() throws {
    try store.apps.add("Tern", secret: nil)
    try store.apps.add("Heron", secret: nil)
    var protection = ReportProtection()
    protection[.properties] = .admin
    try store.apps.setProtection(protection, of: "Tern")
    #expect(try store.apps.protections() == ["Tern": protection])
    #expect(try store.apps.list().map(\.protection) == [ReportProtection(), protection])
    try store.apps.rename("Tern", to: "Sterna")
    #expect(try store.apps.protections() == ["Sterna": protection])
    #expect(throws: StoreError.unknownApp("Nope", near: nil)) {
      try store.apps.setProtection(protection, of: "Nope")
    }
    try store.write(.global) { try $0.execute("UPDATE protections SET part = 'mood'") }
    #expect(throws: StoreError.self) { try store.apps.protections() }
    try store.apps.setProtection(ReportProtection(), of: "Sterna")
    #expect(try store.apps.protections().isEmpty)
  }
}
