import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("Tokens")
struct TokensTableTests {
  private let folder = ScratchFolder()
  private let now = Timestamp(seconds: 1_700_000_000)

  @Test("A token is found only by its text, until it expires")
  func life() throws {
    let store = try ServerStore(checking: folder.path + "/home")
    let table = TokensTable(in: store)
    let (token, text) = try table.make(
      label: "CI", scopes: [.symbols, .ingest], app: "Tern",
      expires: Timestamp(seconds: now.seconds + 60), now: now)
    let found = try #require(try table.token(text, now: now))
    #expect(found.id == token.id && found.label == "CI" && found.app == "Tern")
    #expect(found.allows(.symbols) && found.allows(.ingest) && !found.allows(.read))
    #expect(try table.token(text, now: Timestamp(seconds: now.seconds + 60)) == nil)
    #expect(try table.revoke(token.id, now: now))
    #expect(try !table.revoke(token.id, now: now))
    #expect(try table.token(text, now: now) == nil)
    #expect(try table.all().map(\.revoked) == [now])
  }

  @Test("The admin scope includes every other")
  func admin() throws {
    let table = TokensTable(in: try ServerStore(checking: folder.path + "/home"))
    let (token, _) = try table.make(label: "root", scopes: [.admin], now: now)
    #expect(TokenScope.allCases.allSatisfy { token.allows($0) })
  }

  @Test("Every character counts")
  func wrongTexts() throws {
    let table = TokensTable(in: try ServerStore(checking: folder.path + "/home"))
    let (_, text) = try table.make(label: "x", scopes: [.read], now: now)
    for index in text.indices {
      var wrong = text
      wrong.replaceSubrange(index...index, with: text[index] == "a" ? "b" : "a")
      #expect(try table.token(wrong, now: now) == nil)
    }
    for wrong in ["", "_", "__", "mayday__", text + "a", String(text.dropLast())] {
      #expect(try table.token(wrong, now: now) == nil)
    }
  }

  @Test("The secret is not stored in the home")
  func secret() throws {
    let path = folder.path + "/home"
    let store = try ServerStore(checking: path)
    let (_, text) = try TokensTable(in: store).make(label: "x", scopes: [.read], now: now)
    let secret = Array(text.suffix(43).utf8)
    for name in ["server.db", "server.db-wal"] {
      let bytes = try ByteView(mapping: path + "/" + name).array
      #expect(!bytes.isEmpty)
      #expect(!bytes.contains(secret))
    }
  }

  @Test("The log lists the latest first")
  func audit() throws {
    let log = AuditLog(in: try ServerStore(checking: folder.path + "/home"))
    for number in 1...3 {
      try log.note(
        .init(
          time: now, token: "t", label: "CI", action: "resolve", subject: "TERN-\(number)",
          peer: "127.0.0.1"))
    }
    #expect(try log.latest(2).map(\.entry.subject) == ["TERN-3", "TERN-2"])
  }
}
