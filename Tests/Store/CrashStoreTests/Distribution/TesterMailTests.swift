import Bytes
import Database
import Identifiers
import TestSupport
import Testing
import Updates

@testable import CrashStore

@Suite("The store of mails to testers")
struct TesterMailTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let now = CrashStore.now

  init() throws {
    store = try CrashStore(checking: folder.path("home"))
    try store.apps.add("Tern", secret: nil)
    _ = try distribution.addGroup("Beta", isPublic: false, to: "Tern", by: "bob")
    for version in ["1.0", "1.1", "1.2"] {
      var package = AppPackage(.ipa)
      (package.version, package.build) = (version, "1")
      _ = try distribution.add(
        ByteView(version.utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
    }
  }

  private var distribution: CrashStore.Distribution { store.distribution }

  /// A tester who has accepted.
  @discardableResult
  private func tester(_ email: String) throws -> Tester {
    let code = try distribution.invite(email, to: "Beta", of: "Tern", by: "bob").invitation
    return try distribution.acceptInvitation(code).tester
  }

  private func publish(_ number: Int, notifies: Bool = true) throws {
    let beta = try distribution.group("Beta", of: "Tern")
    try distribution.publish(
      number, of: "Tern", to: [.init(.group, id: beta.id, isMandatory: false)], by: "ci",
      notifies: notifies)
  }

  private func later(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds + seconds) }

  private func due(after seconds: Int64) throws -> [TesterMail] {
    try distribution.dueMails(now: later(seconds), limit: 100)
  }

  @Test("Releases that come close together are one mail, and no tester is told twice of one")
  func digest() throws {
    try tester("ada@example.org")
    try tester("bob@example.org")
    _ = try distribution.invite("eve@example.org", to: "Beta", of: "Tern", by: "bob")
    try publish(1, notifies: false)
    #expect(try distribution.mails(of: "Tern").isEmpty)
    try publish(1)
    try publish(2)
    try publish(2)
    #expect(try due(after: 30).isEmpty, "it waits for further releases")
    let mails = try due(after: 600)
    #expect(mails.map(\.email).sorted() == ["ada@example.org", "bob@example.org"])
    #expect(mails.allSatisfy { $0.kind == .release && $0.artefacts == [2, 1] })
    #expect(mails.first?.releases.map(\.name) == ["1.1 (1)", "1.0 (1)"])
    // Once it is tried, a further release is another mail.
    let claimed = try #require(try distribution.begin(mails[0], next: later(1_000)))
    #expect(claimed.attempts == 1)
    #expect(try distribution.begin(mails[0], next: later(1_000)) == nil, "it is claimed once")
    try publish(3)
    let all = try distribution.mails(of: "Tern")
    #expect(Set(all.map(\.artefacts)) == [[3], [3, 2, 1], [2, 1]])
    #expect(all.count == 3)
    #expect(
      try distribution.history(of: "Tern").filter { $0.kind == .notified }.map(\.detail) == [
        "#1, 2 testers", "#2, 2 testers", "#3, 2 testers",
      ])
    // After a restart of a killed process, the mail is due when its claim has ended.
    #expect(try !due(after: 900).contains { $0.name == claimed.name })
    #expect(try due(after: 1_001).contains { $0.name == claimed.name })
    try distribution.end(claimed, .sent, answer: "250", now: later(71))
    #expect(try !due(after: 4_000).contains { $0.name == claimed.name })
    let sent = try #require(
      try distribution.mails(of: "Tern").first { $0.name == claimed.name })
    #expect(sent.state == .sent && sent.answer == "250" && sent.finished == later(71))
  }

  @Test("A postponed mail is due again, also if the clock was ahead")
  func postponed() throws {
    try tester("ada@example.org")
    try publish(1)
    let mail = try #require(try distribution.mails(of: "Tern").first)
    let claimed = try #require(try distribution.begin(mail, next: later(120)))
    try distribution.end(
      claimed, .waiting, answer: "451 later", next: later(200), now: later(62))
    #expect(try due(after: 199).isEmpty)
    #expect(try due(after: 201).first?.answer == "451 later")
    #expect(try due(after: -10_000).count == 1, "the clock was ahead by hours")
  }

  @Test("The mailed code of an invitation is the printed one, as long as it is valid")
  func codes() throws {
    let invited = try distribution.invite(
      "ada@example.org", to: "Beta", of: "Tern", by: "bob", mails: true)
    #expect(invited.isMailed && invited.tester.invitedUntil != nil)
    func mails() throws -> [TesterMail] { try due(after: 30).filter { $0.kind == .invitation } }
    let first = try #require(try mails().first)
    #expect(try distribution.invitationCode(of: first) == invited.invitation)
    // Another one ends the first; its mail has nothing left to say.
    let again = try distribution.inviteAgain(
      "ada@example.org", of: "Tern", by: "bob", mails: true)
    #expect(try distribution.invitationCode(of: first) == nil)
    #expect(throws: DistributionError.noInvitation) {
      try distribution.acceptInvitation(invited.invitation)
    }
    let second = try #require(try mails().last)
    #expect(try distribution.invitationCode(of: second) == again.invitation)
    let claimed = try #require(try distribution.begin(second, next: later(60)))
    try distribution.end(claimed, .sent, answer: "250", now: now)
    let kept = try store.read { try $0.integer("SELECT count(nonce) FROM tester_mails") }
    #expect(kept == 1, "nothing is kept of which a sent code could be made")
    #expect(try distribution.acceptInvitation(again.invitation).tester.hasAccepted)
    #expect(try distribution.tester("ada@example.org", of: "Tern").invitedUntil == nil)
  }

  @Test("Open invitations are revoked, sessions stay")
  func revoked() throws {
    let ada = try tester("ada@example.org")
    let session = try distribution.makeSecret(
      .session, forTester: ada.id, of: "Tern", lifetime: nil)
    let code = try distribution.inviteAgain("ada@example.org", of: "Tern", by: "bob").invitation
    #expect(try distribution.revokeInvitations(ofTester: ada.id, of: "Tern", by: "bob") == 1)
    #expect(try distribution.revokeInvitations(ofTester: ada.id, of: "Tern", by: "bob") == 0)
    #expect(throws: DistributionError.noInvitation) { try distribution.acceptInvitation(code) }
    #expect(try distribution.holder(of: session, .session)?.tester == ada.id)
    #expect(try distribution.tester(ada.id, of: "Tern").hasAccepted)
    #expect(throws: DistributionError.noSuchTester("eve@example.org", app: "Tern")) {
      try distribution.inviteAgain("eve@example.org", of: "Tern", by: "bob")
    }
  }

  @Test("Who refuses mail gets none; only the signed code refuses")
  func refusals() throws {
    let ada = try tester("ada@example.org")
    let code = try distribution.refusalCode(ofTester: ada.id)
    for forged in [
      "", ".", ada.id, ada.id + ".", ada.id + "." + String(repeating: "0", count: 64), code + "0",
      "x" + code, code + ".x", String(code.dropLast()),
    ] {
      #expect(try distribution.refusal(ofCode: forged) == nil, "\(forged)")
    }
    let found = try #require(try distribution.refusal(ofCode: code))
    #expect(found.holder.email == "ada@example.org" && !found.isRefusing)
    try distribution.refuseMail(true, of: found.holder)
    try distribution.refuseMail(true, of: found.holder)
    #expect(try distribution.refusal(ofCode: code)?.isRefusing == true)
    #expect(try distribution.tester(ada.id, of: "Tern").isUnsubscribed)
    try publish(1)
    let invited = try distribution.invite(
      "ada@example.org", to: "Beta", of: "Tern", by: "bob", mails: true)
    #expect(!invited.isMailed)
    #expect(try distribution.mails(of: "Tern").isEmpty)
    try distribution.refuseMail(false, of: found.holder)
    #expect(try distribution.refusal(ofCode: code)?.isRefusing == false)
    try publish(1)
    #expect(try distribution.mails(of: "Tern").count == 1)
    // An app's tester who is removed leaves nothing, and the code is unknown.
    try distribution.removeTester(ada.id, of: "Tern", by: "bob")
    #expect(try distribution.refusal(ofCode: code) == nil)
    let rest = try store.read { database in
      try ["tester_mails", "tester_notices", "tester_refusals"].map {
        try database.requiredInteger("SELECT count(*) FROM \($0)")
      }
    }
    #expect(rest == [0, 0, 0])
  }

  @Test("A tester is last seen when a token was last used, and never before")
  func sightings() throws {
    let ada = try tester("ada@example.org")
    func seen() throws -> Timestamp? {
      try distribution.tester("ada@example.org", of: "Tern").lastSeen
    }
    #expect(try seen() == nil)
    try distribution.noteSighting(ofTester: ada.id, app: "Tern", at: later(60))
    try distribution.noteSighting(ofTester: ada.id, app: "Tern", at: later(-60))
    #expect(try seen() == later(60))
    try distribution.noteSighting(ofTester: "nobody", app: "Tern", at: later(60))
    try distribution.noteSighting(ofTester: ada.id, app: "Gull", at: later(90))
    #expect(try seen() == later(60))
    try distribution.removeTester(ada.id, of: "Tern", by: "bob")
    let rest = try store.read {
      try $0.requiredInteger("SELECT count(*) FROM tester_sightings")
    }
    #expect(rest == 0)
  }

  @Test("Publications and invitations are news, each once")
  func news() throws {
    try publish(1)
    try publish(1)
    try tester("ada@example.org")
    let (news, marks) = try distribution.news(after: [:], limit: 10)
    #expect(news.map(\.kind) == [.release, .invitation])
    #expect(news.map(\.recipient) == ["Beta", "Beta"])
    #expect(news.map(\.detail) == ["tern.ipa", "ada@example.org"])
    #expect(news.first?.release == Release(version: "1.0", build: "1"))
    #expect(try distribution.lastNews() == marks && marks.values.first == news.last?.number)
    let later = try distribution.news(after: marks.mapValues { _ in news[0].number }, limit: 10)
    #expect(later.news.count == 1 && later.marks == marks)
  }

  @Test("The last news of each app stay, however many another has")
  func trimmedNews() throws {
    try store.apps.add("Gull", secret: nil)
    try store.write(.global) { database in
      let tern = try AppsTable.app(named: "Tern", in: database).row
      let gull = try AppsTable.app(named: "Gull", in: database).row
      for app in [gull, tern] {
        try DistributionNewsTable.add(
          .invitation, of: app, to: "Beta", "ada", by: "bob", at: now, in: database)
      }
      let columns = "app, kind, version, build, recipient, detail, author, time"
      try database.run(
        """
        INSERT INTO distribution_news (number, \(columns))
        WITH RECURSIVE numbers (new) AS (SELECT 3 UNION ALL SELECT new + 1 FROM numbers WHERE new < 5001)
        SELECT new, \(columns) FROM numbers JOIN distribution_news ON number = 2
        """)
      try DistributionNewsTable.add(
        .invitation, of: tern, to: "Beta", "ada", by: "bob", at: now, in: database)
    }
    let counts = try store.read { database in
      try database.text(
        """
        SELECT group_concat(count) FROM (SELECT count(*) AS count FROM distribution_news
          GROUP BY app ORDER BY 1) AS counts
        """)
    }
    #expect(counts == "1,5000")
    let first = try distribution.news(after: [:], limit: 4)
    #expect(Set(first.news.map(\.app)) == ["Gull", "Tern"] && first.news.count == 3)
  }
}
