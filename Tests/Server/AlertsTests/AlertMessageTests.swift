import Bytes
import Identifiers
import JSON
import Rendering
import ServerStore
import Testing

@testable import Alerts

@Suite("Alert messages")
struct AlertMessageTests {
  private static let time = Timestamp("2026-11-24T09:05:07Z") ?? Timestamp(seconds: 0)

  private static func message(
    _ alerts: [Alert], kind: AlertRule.Kind = .newGroup, more: Int = 0, isTest: Bool = false,
    server: String? = "https://crashes.example.org"
  ) -> AlertMessage {
    AlertMessage(
      delivery: AlertDelivery(
        number: 1, id: "abcdefghijklmnopqrst", rule: isTest ? 0 : 3, kind: kind, target: "team",
        created: time, attempts: 0, state: .waiting(due: time), answer: nil, count: alerts.count,
        more: more), rule: "new-group of Tern", alerts: alerts, server: server)
  }

  private static func alert(
    _ title: String = "Renderer.draw", app: String = "Tern", detail: String = "SIGSEGV",
    name: String = "TERN-12"
  ) -> Alert {
    Alert(
      time: time, app: app, name: name, title: title, detail: detail, path: "/groups/" + name)
  }

  /// Texts that an attacker may put into a report to affect its readers.
  private static let hostile = [
    "a\r\nBcc: eve@example.org\r\n\r\nbody", "\u{202e}txt.exe\u{2066}",
    "<!channel> <@U1> <http://x|y>",
    "@everyone `@here` @channel", "`](http://evil.example) **b** _i_ ~~s~~",
    "<script>alert(1)</script>",
    "</p><img src=x onerror=alert(1)>", "=?utf-8?B?QmNj?=", "\u{0}\u{1b}[31m\u{7f}",
    ".\r\n.\r\nQUIT\r\n",
    String(repeating: "x", count: 100_000), String(repeating: "é👩‍👩‍👧", count: 5_000), "",
    "--mayday-abcdefghijklmnopqrst--",
  ]

  private static func everywhere(_ text: String) -> AlertMessage {
    message(
      (0..<30).map { _ in alert(text, app: text, detail: text) }, kind: .missingSymbols, more: 7)
  }

  @Test(
    "The headline has the number, the kind and the app",
    arguments: [
      (AlertRule.Kind.newGroup, 1, "New group in Tern"), (.newGroup, 3, "3 new groups in Tern"),
      (.regression, 1, "A group came back in Tern"), (.spike, 2, "More reports than usual in Tern"),
      (.crashFree, 1, "The crash-free rate is too low in Tern"),
      (.missingSymbols, 2, "2 debug files are missing in Tern"),
      (.quarantine, 1, "Submissions are in quarantine in Tern"),
      (.release, 1, "A release was published in Tern"),
      (.invitation, 2, "2 testers were invited in Tern"),
    ])
  func headlines(kind: AlertRule.Kind, count: Int, headline: String) {
    let alerts = Array(repeating: Self.alert(), count: count)
    #expect(Self.message(alerts, kind: kind).headline == headline)
  }

  @Test("The headline names an app only if all alerts concern it")
  func apps() {
    let two = [Self.alert(), Self.alert(app: "Gull")]
    #expect(Self.message(two).headline == "2 new groups")
    #expect(Self.message([Self.alert()], more: 4).headline == "5 new groups")
    #expect(Self.message([Self.alert()], isTest: true).headline == "Test: New group in Tern")
  }

  @Test("A plain-text mail links each alert and counts the rest")
  func text() {
    #expect(
      Self.message([Self.alert()]).text == """
        New group in Tern

        TERN-12  Renderer.draw
          SIGSEGV
          https://crashes.example.org/groups/TERN-12

        --\u{20}
        Rule 3: new-group of Tern. Delivery abcdefghijklmnopqrst.
        https://crashes.example.org/server/alerts

        """)
    let many = Self.message(Array(repeating: Self.alert(), count: 25), more: 10).text
    #expect(many.contains("and 15 more: https://crashes.example.org/\n"))
    #expect(many.components(of: "TERN-12  ") == 20)
    #expect(!Self.message([Self.alert()], server: nil).text.contains("http"))
  }

  @Test(
    "No text of a report makes a header, a line or a part of a mail", arguments: hostile.indices)
  func mail(index: Int) throws {
    let text = Self.hostile[index]
    let message = Self.everywhere(text)
    let mail = MailMessage(
      id: message.delivery.id, sender: "mayday@example.org",
      recipients: ["ann@example.org", "bob@example.org"], subject: message.subject,
      text: message.text, html: message.html)
    let bytes = mail.source(now: Self.time)
    #expect(bytes.utf8.allSatisfy { $0 < 0x7f && ($0 >= 0x20 || $0 == 13 || $0 == 10) })
    let lines = bytes.split(separator: "\r\n" as Character, omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { !$0.contains("\n") && $0.utf8.count <= 78 })
    let head = lines.prefix { !$0.isEmpty }
    #expect(head.allSatisfy { !$0.contains("=?") || $0.utf8.count <= 76 })
    let names = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
    #expect(
      names == [
        "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Mayday-Delivery",
        "MIME-Version", "Content-Type",
      ])
    #expect(lines.filter { $0.hasPrefix("--mayday-") }.count == 3)
    #expect(head.contains("Date: Tue, 24 Nov 2026 09:05:07 +0000"))
    let markup = message.html.markup
    #expect(!markup.contains("<script") && !markup.contains("<img") && !markup.contains("\u{202e}"))
  }

  @Test("Subjects are words of ASCII that other programs decode")
  func subjects() {
    // Encoded by hand according to RFC 2047.
    #expect(MailMessage.subject("a b") == "a b")
    #expect(MailMessage.subject("é") == "=?utf-8?B?w6k=?=")
    #expect(MailMessage.subject("=?utf-8?") == "=?utf-8?B?PT91dGYtOD8=?=")
    #expect(MailMessage.quoted("a=b é \n.") == "a=3Db =C3=A9=20\r\n.")
  }

  @Test("Every body is JSON in which texts from reports have no effect", arguments: hostile.indices)
  func bodies(index: Int) throws {
    let text = Self.hostile[index]
    let message = Self.everywhere(text)
    for preset in AlertTarget.Preset.allCases {
      let body = WebhookMessage(message: message).body(for: preset)
      let value = try JSONDocument.parse(ByteView(body)).value
      var strings: [String] = []
      Self.collect(value, into: &strings)
      for string in strings {
        #expect(
          !string.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
      }
      guard let chat = value["text"]?.string ?? value["content"]?.string, preset != .json else {
        #expect(preset == .json || preset == .teams)
        continue
      }
      #expect(chat.unicodeScalars.count <= (preset == .discord ? 2_000 : 16_000))
      // Outside code, only Mayday's own text remains.
      for line in chat.split(separator: "\n") {
        let outside = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 0 }.map(\.element).joined()
        #expect(
          !outside.contains("@") && !outside.contains("evil") && !outside.contains("<!"), "\(line)")
        #expect(line.count { $0 == "`" } % 2 == 0)
      }
      if preset == .slack { #expect(!chat.contains("<!") && !chat.contains("<@")) }
    }
  }

  private static func collect(_ value: JSONValue, into strings: inout [String]) {
    switch value {
    case .string(let string): strings.append(string)
    case .array(let elements): for element in elements { collect(element, into: &strings) }
    case .object(let members): for member in members { collect(member.value, into: &strings) }
    default: break
    }
  }

  @Test("A chat gets links, and the number of alerts that did not fit")
  func chats() throws {
    let message = Self.message([Self.alert()])
    func text(_ preset: AlertTarget.Preset, _ member: String) throws -> String? {
      let body = WebhookMessage(message: message).body(for: preset)
      return try JSONDocument.parse(ByteView(body)).value[member]?.string
    }
    let url = "https://crashes.example.org/groups/TERN-12"
    #expect(
      try text(.slack, "text")
        == "*New group* in `Tern`\n<\(url)|TERN-12> `Renderer.draw`\n`SIGSEGV`")
    let markdown = "**New group** in `Tern`\n[TERN-12](\(url)) `Renderer.draw`\n`SIGSEGV`"
    #expect(try text(.mattermost, "text") == markdown)
    #expect(try text(.discord, "content") == markdown)
    let long = Self.message(
      (0..<20).map { _ in Self.alert(String(repeating: "y", count: 150)) }, more: 100)
    let body = WebhookMessage(message: long).body(for: .discord)
    let content = try #require(try JSONDocument.parse(ByteView(body)).value["content"]?.string)
    let shown = content.components(of: "/groups/")
    #expect(shown > 2 && shown < 20)
    #expect(content.hasSuffix("[and \(120 - shown) more](https://crashes.example.org/)"))
  }

  @Test("A card stays below what Teams takes", arguments: ["y", "\"", "é", "👩‍👩‍👧"])
  func card(character: String) throws {
    let text = String(repeating: character, count: 300)
    let long = Self.message(
      (0..<30).map { _ in Self.alert(text, detail: text) }, kind: .missingSymbols, more: 70)
    let body = WebhookMessage(message: long).body(for: .teams)
    let card = String(decoding: body, as: UTF8.self)
    #expect(card.utf16.count <= 12_000)
    let shown = card.components(of: "/groups/")
    #expect(shown > 2 && shown <= 20)
    #expect(card.contains("and \(100 - shown) more"))
    var few = long
    few.limit = 3
    let shorter = String(
      decoding: WebhookMessage(message: few).body(for: .teams), as: UTF8.self)
    #expect(shorter.components(of: "/groups/") == 3 && shorter.contains("and 97 more"))
  }

  @Test("A program gets null for missing values")
  func nulls() throws {
    let message = Self.message([Self.alert(app: "", name: "")], server: nil)
    let body = WebhookMessage(message: message).body(for: .json)
    let alert = try #require(try JSONDocument.parse(ByteView(body)).value["alerts"]?.array?.first)
    for member in ["app", "name", "url"] { #expect(alert[member]?.isNull == true, "\(member)") }
  }

  @Test("The signature is the HMAC that other programs compute")
  func signature() {
    // Computed with Python's hmac.
    let code = "bb601c6c20e5f26bfa47c70edeca6a1957df822c89a5170dee18531b74ce1122"
    #expect(
      WebhookMessage.signature(
        of: Array("{\"a\":1}".utf8), secret: "a secret of sixteen",
        now: Timestamp(seconds: 1_795_526_160)) == "t=1795526160,v1=\(code)")
  }

  @Test("Pauses double up to an hour")
  func pauses() {
    var random = SystemRandomNumberGenerator()
    for (failures, most) in [(1, 10.0), (2, 20), (3, 40), (9, 2_560), (10, 3_600), (1_000, 3_600)] {
      let pause = AlertRound.pause(after: failures, using: &random)
      #expect((most / 2...most).contains(pause))
    }
  }

  @Test("The address of a server is safe in every message")
  func servers() {
    for text in ["https://crashes.example.org", "http://127.0.0.1:8080/x/", "http://[::1]:80"] {
      #expect(AlertLinks.isServer(text))
    }
    for text in [
      "crashes.example.org", "https://", "https:///x", "https://a b", "https://a>b", "ftp://a",
    ] {
      #expect(!AlertLinks.isServer(text))
    }
  }
}

extension String {
  /// The number of times that the string contains a text.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
