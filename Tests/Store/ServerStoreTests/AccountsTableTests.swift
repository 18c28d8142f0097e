import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("Accounts")
struct AccountsTableTests {
  private let folder = ScratchFolder()
  private let now = Timestamp(seconds: 1_700_000_000)

  private func table() throws -> AccountsTable {
    AccountsTable(in: try ServerStore(checking: folder.path + "/home"))
  }

  @Test("A role is changed in place, and open sessions have it at once")
  func role() throws {
    let table = try table()
    _ = try table.add("Ann", role: .admin, now: now)
    _ = try table.add("bob", role: .viewer, app: "Tern", now: now)
    let signedIn = try #require(
      try table.signIn(as: "bob", by: .link, peer: "p", agent: "a", now: now))
    let changed = try table.setRole(.triage, of: "BOB")
    #expect(changed.name == "bob" && changed.role == .triage && changed.app == "Tern")
    #expect(try table.all().map(\.role) == [.admin, .triage])
    #expect(try table.session(signedIn.text, now: now)?.account.role == .triage)
    #expect(throws: AccountError.unknown("eve")) { try table.setRole(.viewer, of: "eve") }
  }

  @Test("The last account that manages others stays, whatever is asked")
  func lastAdmin() throws {
    let table = try table()
    _ = try table.add("ann", role: .admin, now: now)
    // An admin of one app manages no accounts.
    _ = try table.add("bob", role: .admin, app: "Tern", now: now)
    #expect(throws: AccountError.lastAdmin("ann")) { try table.setRole(.triage, of: "ann") }
    #expect(throws: AccountError.lastAdmin("ann")) { try table.remove("ann") }
    #expect(try table.setRole(.admin, of: "ann").role == .admin)
    #expect(try table.setRole(.viewer, of: "bob").role == .viewer)
    _ = try table.add("eve", role: .admin, now: now)
    #expect(try table.setRole(.viewer, of: "ann").role == .viewer)
    #expect(throws: AccountError.lastAdmin("eve")) { try table.remove("eve") }
  }
}
