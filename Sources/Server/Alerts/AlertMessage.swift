internal import Bytes
internal import Rendering
internal import ServerStore

/// The content of a delivery, before it is formatted for mail or a webhook.
struct AlertMessage {
  let delivery: AlertDelivery
  /// The rule in a line.
  let rule: String
  let alerts: [Alert]
  /// The server's address, without a trailing slash; `nil` if none is set.
  let server: String?
  /// The maximum number of alerts that it shows.
  var limit = AlertMessage.most

  /// The maximum number of alerts that any message shows.
  static let most = 20
  /// The maximum number of characters of a title, and of other texts from reports.
  private static let longest = (title: 160, detail: 240)

  /// The shown alerts, with texts made safe for a single line.
  var shown: [Alert] {
    alerts.prefix(limit).map { alert in
      var alert = alert
      alert.app = Self.line(alert.app, Self.longest.title)
      alert.name = Self.line(alert.name, Self.longest.title)
      alert.title = Self.line(alert.title, Self.longest.title)
      alert.detail = Self.line(alert.detail, Self.longest.detail)
      return alert
    }
  }

  /// The number of alerts that are not shown.
  var more: Int { rest(after: shown.count) }

  /// The number of alerts after the first `count`.
  func rest(after count: Int) -> Int { alerts.count + delivery.more - count }

  /// `5 new groups in Tern`
  var headline: String { heading.words + (heading.app.isEmpty ? "" : " in " + heading.app) }

  /// ``headline`` without the app's name, and that name, which comes from outside.
  var heading: (words: String, app: String) {
    let count = alerts.count + delivery.more
    let text =
      switch delivery.kind {
      case .newGroup: count == 1 ? "New group" : "\(count) new groups"
      case .regression: count == 1 ? "A group came back" : "\(count) groups came back"
      case .spike: "More reports than usual"
      case .crashFree: "The crash-free rate is too low"
      case .missingSymbols:
        count == 1 ? "A debug file is missing" : "\(count) debug files are missing"
      case .quarantine: "Submissions are in quarantine"
      case .release: count == 1 ? "A release was published" : "\(count) releases were published"
      case .invitation: count == 1 ? "A tester was invited" : "\(count) testers were invited"
      }
    let apps = Set(alerts.map(\.app))
    let app = apps.count == 1 && delivery.more == 0 ? apps.first ?? "" : ""
    return ((delivery.isTest ? "Test: " : "") + text, Self.line(app, Self.longest.title))
  }

  /// The whole address of a page.
  func link(_ path: String) -> String? { server.map { $0 + path } }

  var subject: String {
    let first = shown.first.map { ": " + ($0.name.isEmpty ? "" : $0.name + " ") + $0.title } ?? ""
    return "[Mayday] " + headline + (alerts.count == 1 && more == 0 ? first : "")
  }

  // MARK: Text

  var text: String {
    var text = headline + "\n\n"
    for alert in shown {
      text += Self.name(of: alert) + alert.title + "\n"
      if !alert.detail.isEmpty { text += "  " + alert.detail + "\n" }
      if let link = link(alert.path) { text += "  " + link + "\n" }
      text += "\n"
    }
    if more > 0 { text += "and \(more) more" + (link("/").map { ": \($0)" } ?? "") + "\n\n" }
    text += "-- \n" + footer + "\n"
    if let link = link("/server/alerts") { text += link + "\n" }
    return text
  }

  private static func name(of alert: Alert) -> String {
    alert.name.isEmpty || alert.title.contains(alert.name) ? "" : alert.name + "  "
  }

  var footer: String {
    (delivery.isTest
      ? "A sample that tests the target \(delivery.target)."
      : "Rule \(delivery.rule): \(Self.line(rule, Self.longest.detail)).")
      + " Delivery \(delivery.id)."
  }

  var html: HTML {
    let items = shown.map { alert -> HTML in
      let name: HTML =
        if let link = link(alert.path) {
          "<a href=\"\(link)\" style=\"color:#0b62c4\">\(alert.name.isEmpty ? "Open" : alert.name)</a> "
        } else {
          "<b>\(alert.name)</b> "
        }
      return """
        <p style="margin:0 0 16px">\(name)<b>\(alert.title)</b><br>
        <span style="color:#5f6873">\(alert.detail)</span></p>

        """
    }
    let rest: HTML =
      more > 0
      ? (link("/").map { "<p><a href=\"\($0)\">and \(more) more</a></p>\n" }
        ?? "<p>and \(more) more</p>\n") : .none
    let manage: HTML =
      link("/server/alerts").map { " <a href=\"\($0)\" style=\"color:#5f6873\">Manage alerts</a>" }
      ?? .none
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(headline)</title></head>
      <body style="font:15px/1.45 sans-serif;color:#1b1f24;background:#fff;margin:16px">
      <h1 style="font-size:18px;margin:0 0 16px">\(headline)</h1>
      \(items)\(rest)<p style="color:#5f6873;font-size:13px">\(footer)\(manage)</p>
      </body></html>

      """
  }

  /// A text from outside, safe as part of a line.
  static func line(_ text: String, _ most: Int) -> String {
    let isCut = text.unicodeScalars.count > most
    let part = isCut ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) : text
    return part.printable + (isCut ? "…" : "")
  }
}
