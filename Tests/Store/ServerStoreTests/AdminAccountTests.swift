import Identifiers
import TestSupport
import Testing

@testable import ServerStore

/// Whether a server has an admin who can sign in.
@Suite struct AdminAccountTests {
  private let folder = ScratchFolder()
  private let accounts: AccountsTable
  private static let now = Timestamp(seconds: 1_780_000_000)

  init() throws { accounts = AccountsTable(in: try ServerStore(checking: folder.path + "/home")) }

  private func hasAdmin(
    provider: Bool = false, proxy: Bool = false, after seconds: Int64 = 0
  ) throws -> Bool {
    try accounts.hasAdminWhoCanSignIn(
      byProvider: provider, byProxy: proxy, now: Timestamp(seconds: Self.now.seconds + seconds))
  }

  @Test("Neither accounts of other roles nor admins of one app count")
  func others() throws {
    #expect(try !hasAdmin(provider: true, proxy: true))
    _ = try accounts.add("bob", role: .triage, now: Self.now)
    _ = try accounts.add("eve", role: .admin, app: "Tern", now: Self.now)
    for name in ["bob", "eve"] { _ = try accounts.makeLink(for: name, now: Self.now) }
    #expect(try !hasAdmin(provider: true, proxy: true))
  }

  @Test("A link counts until it is used or expires, a session until it ends")
  func links() throws {
    let admin = try accounts.firstAdmin(now: Self.now)
    #expect(admin.name == "admin" && admin.role == .admin && admin.app == nil)
    #expect(try !hasAdmin() && !hasAdmin(provider: true) && hasAdmin(proxy: true))
    let link = try accounts.makeLink(for: admin.name, now: Self.now)
    let day = Int64(AccountsTable.linkLifetime)
    #expect(try hasAdmin() && !hasAdmin(after: day + 1))
    let session = try #require(
      try accounts.signIn(byLink: link, peer: "", agent: "", now: Self.now)?.session)
    #expect(try hasAdmin(after: day + 1))
    #expect(try !hasAdmin(after: session.expires.seconds - Self.now.seconds + 1))
    try accounts.setPassword("hash", of: admin.name, keeping: "", now: Self.now)
    #expect(try hasAdmin(after: 100 * 365 * 86_400))
  }

  @Test("An admin at a provider counts where the server has one")
  func provider() throws {
    _ = try accounts.add("ann", role: .admin, claimability: .byName, now: Self.now)
    #expect(try hasAdmin(provider: true) && !hasAdmin())
    _ = try accounts.claim("ann", for: "issuer|1", isOwner: false, defaultRole: nil, now: Self.now)
    #expect(try hasAdmin(provider: true) && !hasAdmin())
    #expect(try accounts.firstAdmin(now: Self.now).name == "ann")
  }

  @Test("A new admin takes a free name")
  func names() throws {
    _ = try accounts.add("Admin", role: .viewer, now: Self.now)
    #expect(try accounts.firstAdmin(now: Self.now).name == "admin2")
    #expect(try accounts.firstAdmin(now: Self.now).name == "admin2")
  }
}
