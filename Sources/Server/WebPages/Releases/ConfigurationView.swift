internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerStore
internal import Updates

/// An app's remote configuration, which clients poll for updates: the current document, a preview, and the
/// history.
struct ConfigurationView {
  let call: PageCall

  private static let mostEntries = 50

  init(_ call: PageCall) { self.call = call }

  private var app: String { call.parameter("app") }
  private var path: String { AppsView.path(app) + "/configuration" }

  func response() throws -> Response {
    let history = try call.service.remoteConfigurations(of: app)
    if let fields = call.refused?.fields, let text = fields["document"] {
      return page(
        text: text, follows: fields["follows"] == "yes", note: fields["note"] ?? "",
        result: .none, history)
    }
    let chosen = call.request.query["number"].flatMap { Int($0) }
    let shown = chosen.flatMap { number in history.first { $0.number == number } } ?? history.first
    return page(
      text: shown?.text ?? "", follows: shown?.followsReleases ?? false, note: "",
      result: try shown.map { try preview(RemoteConfiguration($0.text.utf8)) } ?? .none, history)
  }

  private func page(
    text: String, follows: Bool, note: String, result: HTML, _ history: [PublishedConfiguration],
    status: Status = .ok
  ) -> Response {
    let mayChange = call.visitor.account.allows(.triage)
    let served: HTML =
      history.first.map { entry -> HTML in
        let version: HTML =
          entry.servedVersion.map {
            " It follows releases: clients are offered version <b>\($0)</b>."
          } ?? .none
        return
          "<p>Document \(entry.number) is served at <code>/config/\(app).json</code>.\(version)</p>"
      }
      ?? "<p class=\"empty\">No document is published yet. Write one, check it, then publish it.</p>"
    let off: HTML = mayChange ? .none : " readonly"
    let box: HTML = follows ? " checked" : .none
    let buttons: HTML =
      mayChange
      ? """
      <div class="fields"><label><span>Note for the history</span>\
      <input name="note" value="\(note)" autocomplete="off"></label></div>
      <p><label><input type="checkbox" name="follows" value="yes"\(box)> Always offer the newest public release, \
      whatever version the document names</label></p>
      <p class="actions"><button name="do" value="check">Check and preview</button>\
      <button name="do" value="publish" class="primary">Publish</button></p>
      """ : .none
    var response = call.page(
      "Remote configuration of \(app)", in: .apps,
      """
      <p class="quiet"><a href="\(AppsView.path(app))">\(app)</a></p>
      <h1>Remote configuration of \(app)</h1>
      \(served)
      \(result)
      <form method="post" action="\(path)">\(call.formField)
      <p><label>Document (JSON)<textarea class="code" name="document" rows="18" spellcheck="false"\(off)>
      \(HTML(edited: text))</textarea></label></p>
      \(buttons)</form>
      \(table(history))
      """)
    response.status = status
    return response
  }

  /// A preview of the alert that clients would show.
  private func preview(_ document: RemoteConfiguration) -> HTML {
    let alerts = document.alerts.map { alert -> HTML in
      let options = alert.options.map { option -> HTML in
        "<span class=\"button\(option.isUpdate ? " primary" : "")\">\(option.title)</span> "
      }
      return """
        <li class="card"><p class="quiet small">\(alert.languageName == "any" ? "any language" : alert.languageName)</p><p><b>\(alert.title)</b></p>\
        <p>\(alert.text)</p><p>\(options)</p></li>
        """
    }
    let words =
      switch document.kind {
      case .ignore: "Clients do nothing."
      case .recommended: "Clients show an alert that users can close."
      case .mandatory: "Clients show an alert whose only choice is the update."
      }
    return """
      <section class="card" role="status" aria-label="Preview"><p class="found">Every client can read this document.</p>
      <p>\(words) Version \(document.availableVersion), <span class="breaks">\(document.url)</span></p>
      <ul class="alerts">\(alerts)</ul></section>
      """
  }

  private func table(_ history: [PublishedConfiguration]) -> HTML {
    guard !history.isEmpty else { return .none }
    var table = CardTable([
      ("Number", .number), ("Time", .side), ("Author", .text), ("Action", .text), ("Type", .text),
      ("Version", .text), ("Note", .text), ("Actions", .actions),
    ])
    for entry in history.prefix(Self.mostEntries) {
      let source = entry.source.map { " to \($0)" } ?? ""
      var form: HTML = .none
      if call.visitor.account.allows(.triage), entry.number != history.first?.number {
        form = """
          <form method="post" action="\(path)">\(call.formField)\
          <input type="hidden" name="number" value="\(entry.number)">\
          <button class="small" name="do" value="rollback">Restore</button></form>
          """
      }
      table.add([
        "<a href=\"\(path)?number=\(entry.number)\">\(entry.number)</a>",
        PageText.time(entry.time, now: call.now), "\(entry.author)",
        "\(entry.event.rawValue)\(source)", "\(entry.kind.rawValue)",
        "\(entry.followsReleases ? "newest release" : entry.availableVersion)",
        "\(entry.note ?? "")", form,
      ])
    }
    return "<section><h2>History</h2>\(table.markup)</section>"
  }

  func change() throws -> Response {
    let action = call.form["do"]
    let change = ConfigurationChange(
      app: app, author: call.visitor.account.name, note: call.text("note"),
      followsReleases: call.form["follows"] == "yes")
    if action == "rollback" {
      guard let number = call.form["number"].flatMap({ Int($0) }) else {
        throw ServiceError("choose the document to restore", .wrongUsage)
      }
      var change = change
      change.followsReleases = nil
      _ = try call.service.rollBack(to: number, change)
      try call.note("roll back configuration", app)
      return .empty(.seeOther, headers: ["Location": path])
    }
    // Browsers send CR LF line breaks.
    let text = (call.form["document"] ?? "").replacing("\r\n", with: "\n")
    let document: RemoteConfiguration
    do {
      document = try RemoteConfiguration(text.utf8)
    } catch {
      return page(
        text: text, follows: change.followsReleases == true, note: change.note ?? "",
        result: "<p class=\"message mono\" role=\"alert\">\(error.description)</p>",
        try call.service.remoteConfigurations(of: app),
        status: action == "check" ? .ok : .badRequest)
    }
    switch action {
    case "publish":
      _ = try call.service.publish(document, change)
      try call.note("publish configuration", app)
      return .empty(.seeOther, headers: ["Location": path])
    case "check":
      return page(
        text: text, follows: change.followsReleases == true, note: change.note ?? "",
        result: preview(document), try call.service.remoteConfigurations(of: app))
    default: throw ServiceError("unknown action", .notFound)
    }
  }
}
