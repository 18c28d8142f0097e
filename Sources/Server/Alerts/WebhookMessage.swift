internal import Bytes
internal import Crypto
internal import Identifiers
internal import JSON
internal import ServerStore

/// An alert as the body of a request: JSON for programs, or the format of a chat.
///
/// Chats get texts from reports as code, in which markup, links and mentions have no effect. Teams gets them as
/// text runs, which have no markup.
///
/// Sources: Slack, Formatting text for app surfaces; Mattermost, Incoming webhooks; Discord, Execute webhook;
/// Microsoft, Adaptive Cards 1.4, TextRun.
struct WebhookMessage {
  let message: AlertMessage

  static let schema = 1
  /// The maximum number of characters that a chat accepts in a message, or shows.
  private static let longest: [AlertTarget.Preset: Int] = [
    .slack: 3_900, .mattermost: 12_000, .discord: 1_900,
  ]
  /// UTF-16 units of the alerts on a card. Teams accepts 28 KB per message, but has refused 14 KB.
  private static let longestCard = 11_000

  func body(for preset: AlertTarget.Preset) -> [UInt8] {
    var writer = JSONWriter()
    switch preset {
    case .json: writeDocument(to: &writer)
    case .slack:
      writer.beginObject()
      writer.member("text", chat(.slack))
      writer.member("unfurl_links", false)
      writer.endObject()
    case .mattermost:
      writer.beginObject()
      writer.member("text", chat(.mattermost))
      writer.endObject()
    case .discord:
      writer.beginObject()
      writer.member("content", chat(.discord))
      writer.key("allowed_mentions")
      writer.beginObject()
      writer.member("parse", [])
      writer.endObject()
      writer.endObject()
    case .teams: writeCard(to: &writer)
    }
    return writer.takeBytes()
  }

  /// `t=1795000000,v1=…`: the time in seconds since 1970, and HMAC-SHA256 over it, a full stop and the body,
  /// in hexadecimal digits.
  static func signature(of body: [UInt8], secret: String, now: Timestamp) -> String {
    let signed = ByteView(Array("\(now.seconds).".utf8) + body)
    let code = HMAC.sha256(of: signed, key: Array(secret.utf8))
    return "t=\(now.seconds),v1=\(code.hexadecimalDigits)"
  }

  // MARK: For programs

  private func writeDocument(to writer: inout JSONWriter) {
    let delivery = message.delivery
    writer.beginObject()
    writer.member("schema", Self.schema)
    writer.member("id", delivery.id)
    writer.member("created", Self.time(delivery.created))
    writer.member("test", delivery.isTest)
    writer.key("rule")
    writer.beginObject()
    writer.member("number", delivery.rule)
    writer.member("kind", delivery.kind.rawValue)
    writer.member("text", message.rule)
    writer.endObject()
    writer.member("text", message.headline)
    writer.key("alerts")
    writer.beginArray()
    for alert in message.shown {
      writer.beginObject()
      writer.member("time", Self.time(alert.time))
      Self.write(alert.app.isEmpty ? nil : alert.app, as: "app", to: &writer)
      Self.write(alert.name.isEmpty ? nil : alert.name, as: "name", to: &writer)
      writer.member("title", alert.title)
      writer.member("detail", alert.detail)
      Self.write(message.link(alert.path), as: "url", to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.member("more", message.more)
    writer.endObject()
  }

  /// Writes a text as a member: `null` if there is none.
  private static func write(_ text: String?, as key: String, to writer: inout JSONWriter) {
    writer.key(key)
    if let text { writer.string(text) } else { writer.null() }
  }

  private static func time(_ time: Timestamp) -> String {
    Timestamp(seconds: time.seconds).description
  }

  // MARK: Chats

  /// The message as Markdown, or in Slack's own format.
  private func chat(_ preset: AlertTarget.Preset) -> String {
    let isSlack = preset == .slack
    let most = Self.longest[preset] ?? 1_900
    func bold(_ text: String) -> String { isSlack ? "*\(text)*" : "**\(text)**" }
    func code(_ text: String) -> String {
      // Only a backtick can end the code.
      let text = text.replacing("`", with: "'")
      return text.isEmpty ? "" : "`" + (isSlack ? Self.escaped(text) : text) + "`"
    }
    func link(_ name: String, _ path: String) -> String {
      guard let url = message.link(path) else { return name }
      return isSlack ? "<\(Self.escaped(url))|\(name)>" : "[\(name)](\(url))"
    }
    func rest(_ count: Int) -> String {
      count > 0 ? "\n" + link("and \(count) more", "/") : ""
    }
    let (words, app) = message.heading
    var text = bold(words) + (app.isEmpty ? "" : " in " + code(app))
    var count = 0
    for alert in message.shown {
      let isGroup = alert.path.hasPrefix("/groups/")
      let line =
        "\n" + link(isGroup ? alert.name : "Open", alert.path) + " " + code(alert.title)
        + (alert.detail.isEmpty ? "" : "\n" + code(alert.detail))
      guard text.unicodeScalars.count + line.unicodeScalars.count + 200 <= most else { break }
      text += line
      count += 1
    }
    return text + rest(message.rest(after: count))
  }

  /// Escapes the three characters that have a meaning in Slack.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  // MARK: Teams

  private func writeCard(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", "message")
    writer.key("attachments")
    writer.beginArray()
    writer.beginObject()
    writer.member("contentType", "application/vnd.microsoft.card.adaptive")
    writer.key("content")
    writer.beginObject()
    writer.member("type", "AdaptiveCard")
    writer.member("$schema", "http://adaptivecards.io/schemas/adaptive-card.json")
    writer.member("version", "1.4")
    writer.key("body")
    writer.beginArray()
    writeRuns([(message.headline, true, nil)], to: &writer)
    var (count, size) = (0, 0)
    for alert in message.shown {
      size += cardSize(of: alert)
      guard size <= Self.longestCard else { break }
      write(alert, toCard: &writer)
      count += 1
    }
    let rest = message.rest(after: count)
    if rest > 0 { writeRuns([("and \(rest) more", false, message.link("/"))], to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }

  private func write(_ alert: Alert, toCard writer: inout JSONWriter) {
    let link = message.link(alert.path)
    let name = alert.name.isEmpty ? "Open" : alert.name
    writeRuns([(name + " ", true, link), (alert.title, false, nil)], to: &writer)
    if !alert.detail.isEmpty { writeRuns([(alert.detail, false, nil)], to: &writer) }
  }

  /// The size in UTF-16 units, as Teams counts.
  private func cardSize(of alert: Alert) -> Int {
    var writer = JSONWriter()
    writer.beginArray()
    write(alert, toCard: &writer)
    writer.endArray()
    return String(decoding: writer.takeBytes(), as: UTF8.self).utf16.count
  }

  private func writeRuns(
    _ runs: [(text: String, isBold: Bool, link: String?)], to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("type", "RichTextBlock")
    writer.key("inlines")
    writer.beginArray()
    for run in runs {
      writer.beginObject()
      writer.member("type", "TextRun")
      writer.member("text", run.text)
      if run.isBold { writer.member("weight", "Bolder") }
      if let link = run.link {
        writer.key("selectAction")
        writer.beginObject()
        writer.member("type", "Action.OpenUrl")
        writer.member("url", link)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
