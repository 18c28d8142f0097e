import Bytes
import Identifiers
import Rendering
import ServerStore
import TestSupport
import Testing
import Updates

@testable import Alerts
@testable import CrashStore

@Suite("Mails to testers")
struct TesterMailTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let server: ServerStore
  private let table: AlertsTable

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    server = try ServerStore(opening: folder.path("home"))
    table = AlertsTable(in: server)
    try store.apps.add("Tern", secret: nil)
  }

  private var distribution: CrashStore.Distribution { store.distribution }

  // MARK: The text

  /// What somebody may put into the name of an app or a release, or into its notes.
  private static let hostile = [
    "a\r\nBcc: eve@example.org\r\n\r\nbody", "\u{202e}txt.exe\u{2066}", "<script>alert(1)</script>",
    "</p><img src=x onerror=alert(1)>", "\" onmouseover=\"alert(1)", "=?utf-8?B?QmNj?=",
    "\u{0}\u{1b}[31m\u{7f}", ".\r\n.\r\nQUIT\r\n", "../../%2e%2e?#", "",
    String(repeating: "x", count: 100_000), String(repeating: "é👩‍👩‍👧\n", count: 5_000),
  ]

  private static func artefact(
    _ number: Int, app: String = "Tern", version: String = "1.5.0", notes: String = ""
  ) -> Artefact {
    var artefact = Artefact(
      number: number, app: app, release: Release(version: version, build: "600"),
      package: AppPackage(.ipa), fileName: "tern.ipa", size: 12_345_678, digest: "", md5: "",
      uploaded: Timestamp(seconds: 0))
    artefact.notes = notes
    return artefact
  }

  private static func text(
    _ kind: TesterMail.Kind, app: String = "Tern", author: String = "bob",
    email: String = "ada@example.org", _ offers: [TesterMailText.Offer] = []
  ) -> TesterMailText {
    TesterMailText(
      mail: TesterMail(
        number: 1, name: "0b5f1c7e-0000-4000-8000-000000000000", app: app, tester: "id",
        email: email, kind: kind, author: author, created: Timestamp(seconds: 0), state: .waiting),
      url: "https://crashes.example.org", refusal: "https://crashes.example.org/install/mails/c",
      invitation: "https://crashes.example.org/install/invitations/i", offers: offers)
  }

  @Test("One release is the subject, several are counted; each leads to where it is installed")
  func releases() {
    let one = Self.text(
      .release,
      [.init(artefact: Self.artefact(1, notes: "Fixes:\n- the nest"), isPublic: false)]
    ).message(from: "m@example.org")
    #expect(one.subject == "Tern 1.5.0 (600) is ready to test")
    #expect(
      one.text == """
        Tern 1.5.0 (600) is ready to test.

        1.5.0 (600) for iOS, 12.3 MB

          Fixes:
          - the nest

        Install it: https://crashes.example.org/install

        -- 
        You get this mail because ada@example.org tests Tern.
        Stop these mails: https://crashes.example.org/install/mails/c

        """)
    let many = Self.text(
      .release, app: "Tern & Söhne",
      (1...25).map { .init(artefact: Self.artefact($0), isPublic: true) }
    ).message(from: "m@example.org")
    #expect(many.subject == "25 new releases of Tern & Söhne")
    #expect(
      many.text.contains(
        "Install it: https://crashes.example.org/install/apps/Tern%20%26%20S%C3%B6hne\n"))
    #expect(many.text.contains("\nand 5 more\n"))
    #expect(
      many.fields.map(\.name) == ["List-Unsubscribe", "List-Unsubscribe-Post"]
        && many.fields.map(\.value) == [
          "<https://crashes.example.org/install/mails/c>", "List-Unsubscribe=One-Click",
        ])
  }

  @Test("Nothing that somebody named makes a header or markup", arguments: hostile.indices)
  func names(index: Int) {
    let text = Self.hostile[index]
    for kind in TesterMail.Kind.allCases {
      let message = Self.text(
        kind, app: text, author: text,
        [
          .init(artefact: Self.artefact(1, app: text, version: text, notes: text), isPublic: true)
        ]
      ).message(from: "mayday@example.org")
      let source = message.source(now: Timestamp(seconds: 0))
      #expect(source.utf8.allSatisfy { $0 < 0x7f && ($0 >= 0x20 || $0 == 13 || $0 == 10) })
      let lines = source.split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
      let head = lines.prefix { !$0.isEmpty }
      #expect(
        head.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) } == [
          "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Mayday-Delivery",
          "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
        ])
      let markup = message.html.markup
      #expect(!markup.contains("<script") && !markup.contains("<img"))
      #expect(!markup.contains("\" onmouseover") && !markup.contains("\u{202e}"))
      #expect(!message.text.contains("\u{202e}") && !message.text.contains("\u{1b}"))
      #expect(!message.text.contains("\r"))
    }
  }

  @Test("An address outside ASCII stays out of the header")
  func addresses() {
    let message = Self.text(.invitation, email: "josé@bücher.example")
      .message(from: "m@example.org")
    #expect(message.recipients == ["josé@bücher.example"])
    #expect(
      message.source(now: Timestamp(seconds: 0)).contains("\r\nTo: undisclosed-recipients:;\r\n"))
  }

  // MARK: Rounds

  private func set(_ name: String, port: Int = 1) throws {
    let mail = AlertTarget.Mail(
      server: "smtp://127.0.0.1:\(port)", sender: "mayday@example.org",
      recipients: ["team@example.org"], isPlain: true)
    try table.set(AlertTarget(name: name, way: .mail(mail)), now: CrashStore.now)
  }

  private func run(after seconds: Int64 = 1) throws {
    let now = CrashStore.now
    try TesterMailRound(store: store, server: server)
      .run(now: Timestamp(seconds: now.seconds + seconds))
  }

  private func mails() throws -> [TesterMail] { try distribution.mails(of: "Tern") }

  @Test("The mail server of testers is the only one, or the one that was chosen")
  func mailServer() throws {
    func chosen() throws -> String? { try table.testerMailing()?.target.name }
    try set("ann")
    #expect(try chosen() == nil, "links need the server's address")
    try table.setServerURL("https://crashes.example.org")
    #expect(try chosen() == "ann")
    try set("bob")
    #expect(try chosen() == nil)
    try table.chooseForTesters("bob")
    #expect(try chosen() == "bob")
    try table.chooseForTesters("ann")
    #expect(try chosen() == "ann")
    try table.removeTarget("ann")
    #expect(try chosen() == "bob")
  }

  @Test("A mail waits for a mail server, and is tried again later and later")
  func retries() throws {
    let invited = try distribution.invite(
      "ada@example.org", to: "Collaborators", of: "Tern", by: "bob", mails: true)
    try run()
    #expect(try mails().first?.attempts == 0, "there is no mail server")
    try set("ann")
    try table.setServerURL("https://crashes.example.org")
    try run()
    let first = try #require(try mails().first)
    #expect(first.attempts == 1 && first.state == .waiting && first.answer?.isEmpty == false)
    try run()
    #expect(try mails().first?.attempts == 1, "not at once")
    try run(after: 11)
    #expect(try mails().first?.attempts == 2)
    #expect(try distribution.invitationCode(of: mails()[0]) == invited.invitation)
    for hour in 1...4 { try run(after: Int64(hour) * 3_700) }
    #expect(try mails().first?.state == .waiting)
    try run(after: 90_000)
    #expect(try mails().first?.state == .failed, "after a day it is given up")
    try run(after: 200_000)
    #expect(try mails().first?.attempts == 7)
  }

  @Test("What has nothing left to say is not sent")
  func dropped() throws {
    try set("ann")
    try table.setServerURL("https://crashes.example.org")
    for name in ["ada", "eve"] {
      let code = try distribution.invite(
        "\(name)@example.org", to: "Collaborators", of: "Tern", by: "bob", mails: true
      ).invitation
      _ = try distribution.acceptInvitation(code)
    }
    try run()
    #expect(try mails().map(\.state) == [.dropped, .dropped])
    #expect(
      try mails().first?.answer == "the invitation was used or revoked, or has expired")
    var package = AppPackage(.ipa)
    (package.version, package.build) = ("1.0", "1")
    _ = try distribution.add(
      ByteView("bytes".utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
    let group = try distribution.group("Collaborators", of: "Tern")
    try distribution.publish(
      1, of: "Tern", to: [.init(.group, id: group.id, isMandatory: false)], by: "ci",
      notifies: true)
    let eve = try distribution.tester("eve@example.org", of: "Tern")
    let code = try distribution.refusalCode(ofTester: eve.id)
    try distribution.refuseMail(true, of: #require(try distribution.refusal(ofCode: code)?.holder))
    try distribution.edit(1, of: "Tern", .init(isEnabled: false), by: "ci")
    try run(after: 61)
    let answers = try Dictionary(
      uniqueKeysWithValues: mails().filter { $0.kind == .release }.map { ($0.email, $0.answer) })
    #expect(
      answers == [
        "ada@example.org": "the tester is not offered these releases",
        "eve@example.org": "the tester wants no mail",
      ])
  }
}
