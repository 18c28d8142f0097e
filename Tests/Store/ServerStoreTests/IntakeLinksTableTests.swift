import Bytes
import Identifiers
import ServerStore
import TestSupport
import Testing

@Suite struct IntakeLinksTableTests {
  private let folder = ScratchFolder()
  private let now = Timestamp(seconds: 1_800_000_000)
  private let later = Timestamp(seconds: 1_800_000_060)

  private func table() throws -> IntakeLinksTable {
    IntakeLinksTable(in: try ServerStore(opening: folder.path("home")))
  }

  @Test func `a link is found by its secret alone until it expires`() throws {
    let links = try table()
    let (link, secret) = try links.make(
      app: "Tern", label: "x", expires: later, most: 2, now: now)
    let found = try links.link(secret, now: now)
    #expect(found == link)
    for wrong in [secret + "x", String(secret.dropLast()) + "-", "", "a_b", link.id] {
      let none = try links.link(wrong, now: now)
      #expect(none == nil)
    }
    let expired = try links.link(secret, now: later)
    #expect(expired == nil)
  }

  @Test func `a link takes as many files as it may, and none after it was revoked`() throws {
    let links = try table()
    let (link, secret) = try links.make(
      app: "Tern", label: "x", expires: later, most: 2, now: now)
    let tooMany = try links.count(3, of: link.id, now: now)
    let rightMany = try links.count(2, of: link.id, now: now)
    let oneMore = try links.count(1, of: link.id, now: now)
    #expect(!tooMany && rightMany && !oneMore)
    let usedUp = try #require(try links.link(secret, now: now))
    #expect(usedUp.left == 0 && usedUp.files == 2)
    let (other, _) = try links.make(app: "Tern", label: "y", expires: later, most: nil, now: now)
    let first = try links.revoke(other.id, now: now)
    let second = try links.revoke(other.id, now: now)
    let third = try links.count(1, of: other.id, now: now)
    #expect(first && !second && !third)
    let all = try links.all()
    #expect(Set(all.map(\.id)) == [link.id, other.id])
  }

  @Test func `the secret is not stored`() throws {
    let links = try table()
    let (_, secret) = try links.make(
      app: "Tern", label: "x", expires: later, most: nil, now: now)
    let part = String(secret.split(separator: "_")[1])
    let names = try folder.names("home").filter { $0.hasPrefix("server.db") }
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try ByteView(reading: folder.path("home/" + name), limit: 64 << 20)
      #expect(!bytes.bytes.text.contains(part), "\(name)")
    }
  }
}
