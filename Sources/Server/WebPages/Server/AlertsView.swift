internal import Bytes
internal import Alerts
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Alert rules, their targets and the deliveries.
struct AlertsView {
  let call: PageCall

  private static let mostDeliveries = 50

  init(_ call: PageCall) { self.call = call }

  private var alerts: AlertsTable { call.context.alerts }
  private var frame: ServerView { ServerView(call) }

  func response() throws -> Response { try response(.none) }

  /// - Parameter message: The result of the last form.
  private func response(_ message: HTML) throws -> Response {
    let targets = try alerts.targets()
    return frame.page(
      "Alerts",
      """
      \(message)
      <p>A rule defines when to alert; a target defines where the alert goes.</p>
      <h2>Rules</h2>
      \(try rules())
      \(targets.isEmpty ? "<p class=\"empty\">A rule needs a target. Add one below first.</p>" : try ruleForm(targets))
      <h2>Targets</h2>
      \(list(targets))
      \(targetForm)
      <h2>Deliveries</h2>
      \(try deliveries())
      """)
  }

  // MARK: Rules

  private func rules() throws -> HTML {
    var table = CardTable([
      ("No.", .number), ("Condition", .text), ("Target", .text), ("Schedule", .side),
      ("Author", .side),
      ("Problem", .text), ("Actions", .actions),
    ])
    for rule in try alerts.rules() {
      table.add([
        "\(rule.number)", "\(rule.summary)", "\(rule.target)", "\(rule.schedule)", "\(rule.author)",
        "\(rule.problem ?? "")",
        frame.removal(
          "/server/alerts/rules/\(rule.number)/remove", "Remove",
          asks: "Remove rule \(rule.number)? What waits to be sent for it is not sent."),
      ])
    }
    return table.isEmpty
      ? "<p class=\"empty\">No rules yet. Add one to get alerts.</p>" : table.markup
  }

  private func ruleForm(_ targets: [AlertTarget]) throws -> HTML {
    let path = "/server/alerts/rules"
    func options(_ name: String, _ values: [String]) -> [HTML] {
      values.map { value in
        "<option\(call.mark(" selected", name, value, in: path, else: false))>\(value)</option>"
      }
    }
    let kinds = options("kind", AlertRule.Kind.allCases.map(\.rawValue))
    let names = options("target", targets.map(\.name))
    let apps = options("app", try call.service.apps().map(\.name))
    let bases = options("basis", AlertRule.Basis.allCases.map(\.rawValue))
    return """
      <form class="card" method="post" action="/server/alerts/rules">\(call.formField)
      <div class="fields"><label><span>Kind</span><select name="kind">\(kinds)</select></label>
      <label><span>Target</span><select name="target">\(names)</select></label>
      <label><span>App</span><select name="app"><option value="">All apps</option>\(apps)</select></label>
      <label><span>Query</span><input name="query" value="\(call.typed("query", in: path))" placeholder="version:&gt;=2.4"></label>
      <label><span>Digest</span><input name="digest" value="\(call.typed("digest", in: path))" placeholder="immediately, hourly or 09:00"></label>
      <label><span>Quiet hours</span><input name="quiet" value="\(call.typed("quiet", in: path))" placeholder="22:00-07:00"></label>
      <label><span>Time zone</span><input name="zone" value="\(call.typed("zone", in: path))" placeholder="+01:00"></label></div>
      <details\(call.open(path))><summary>Thresholds for spike and crash-free</summary>
      <div class="fields"><label><span>Window</span><input name="window" value="\(call.typed("window", in: path))" placeholder="1h, 1d"></label>
      <label><span>Minimum</span><input name="least" value="\(call.typed("least", in: path))" placeholder="10 reports, 100 sessions"></label>
      <label><span>Factor</span><input name="factor" value="\(call.typed("factor", in: path))" placeholder="3"></label>
      <label><span>Below (percent)</span><input name="below" value="\(call.typed("below", in: path))" placeholder="99"></label>
      <label><span>Count</span><select name="basis"><option value="">default</option>\(bases)</select></label>\
      </div></details>
      <p><button class="primary">Add rule</button></p></form>
      """
  }

  func addRule() throws -> Response {
    var fields = AlertRuleFields()
    (fields.kind, fields.target) = (call.form["kind"] ?? "", call.form["target"] ?? "")
    (fields.app, fields.query, fields.digest) = (
      call.text("app"), call.text("query"), call.text("digest")
    )
    (fields.quiet, fields.zone, fields.window) = (
      call.text("quiet"), call.text("zone"), call.text("window")
    )
    (fields.least, fields.factor) = (call.text("least"), call.text("factor"))
    (fields.below, fields.basis) = (call.text("below"), call.text("basis"))
    let number = try changing {
      try fields.rule(of: call.visitor.account.name, now: call.now)
        .add(to: alerts, of: call.context.store)
    }
    try call.note("add alert rule", "\(number)")
    return back
  }

  func removeRule() throws -> Response {
    guard let number = Int(call.parameter("number")) else {
      throw ServiceError("there is no rule with that number", .notFound)
    }
    try changing { try alerts.removeRule(number, now: call.now) }
    try call.note("remove alert rule", "\(number)")
    return back
  }

  // MARK: Targets

  private func list(_ targets: [AlertTarget]) -> HTML {
    guard !targets.isEmpty else { return .none }
    var table = CardTable([("Name", .text), ("Destination", .text), ("Actions", .actions)])
    for target in targets {
      let path = "/server/alerts/targets/" + target.name.inAddress
      table.add([
        "\(target.name)", "\(target.summary)",
        """
        \(frame.form(path + "/test", "Test"))\
        \(frame.removal(path + "/remove", "Remove", asks: "Remove \(target.name)? Its address is not kept."))
        """,
      ])
    }
    return table.markup
  }

  private var targetForm: HTML {
    let path = "/server/alerts/targets"
    // Two forms are sent there.
    let isMail = call.refused?.fields["kind"] == "mail"
    func typed(_ name: String, mail: Bool) -> HTML {
      mail == isMail ? call.typed(name, in: path) : .none
    }
    let plain = call.mark(" checked", "plain", "yes", in: path, else: false)
    let presets = AlertTarget.Preset.allCases.map { preset -> HTML in
      let mark = call.mark(" selected", "preset", preset.rawValue, in: path, else: false)
      return "<option\(mark)>\(preset.rawValue)</option>"
    }
    return """
      <form class="card" method="post" action="/server/alerts/targets">\(call.formField)
      <div class="fields"><label><span>Name</span><input name="name" value="\(typed("name", mail: false))" required></label>
      <label><span>Webhook URL</span><input name="url" type="url" value="\(typed("url", mail: false))" required autocomplete="off"></label>
      <label><span>Format</span><select name="preset">\(presets)</select></label></div>
      <p><button class="primary">Add webhook</button></p></form>
      <form class="card" method="post" action="/server/alerts/targets">\(call.formField)\
      <input type="hidden" name="kind" value="mail">
      <div class="fields"><label><span>Name</span><input name="name" value="\(typed("name", mail: true))" required></label>
      <label><span>Mail server</span><input name="server" value="\(typed("server", mail: true))" required placeholder="smtps://mail.example.com" \
      autocomplete="off" spellcheck="false"></label>
      <label><span>Sender</span><input name="sender" type="email" value="\(typed("sender", mail: true))" required placeholder="mayday@example.com"></label>
      <label><span>Recipients</span><input name="recipients" value="\(typed("recipients", mail: true))" required placeholder="ann@example.com, \
      bob@example.com"></label>
      <label><span>User</span><input name="user" value="\(typed("user", mail: true))" placeholder="none" autocomplete="off"></label>
      <label><span>Password</span><input name="password" type="password" autocomplete="new-password"></label></div>
      <label><input type="checkbox" name="plain" value="yes"\(plain)> Without TLS, to a server on this machine; no \
      password</label>
      <p class="quiet">The password is stored in the home and not shown again. To keep it in a file or in the \
      environment of the server, add the target with <code>mayday alerts target</code> there.</p>
      <p><button class="primary">Add mail target</button></p></form>
      """
  }

  func addTarget() throws -> Response {
    if call.form["kind"] == "mail" { return try addMailTarget() }
    guard let preset = AlertTarget.Preset(rawValue: call.form["preset"] ?? "") else {
      throw ServiceError("unknown format", .wrongUsage)
    }
    let name = try newName()
    let secret = preset == .json ? AlertTarget.newSecret() : nil
    let hook = AlertTarget.Webhook(url: call.text("url") ?? "", preset: preset, secret: secret)
    try changing {
      try alerts.set(AlertTarget(name: name, way: .webhook(hook)), now: call.now)
    }
    try call.note("add alert target", name)
    guard let secret else { return back }
    return try response(
      """
      <p role="status"><b>Signing secret of \(name). Copy it now; it is shown only once:</b></p>
      <pre class="message" tabindex="0">\(secret)</pre>
      """)
  }

  /// - Throws: `ServiceError` for the name of a target: replacing it would keep nothing of it.
  private func newName() throws -> String {
    let name = call.text("name") ?? ""
    guard try !alerts.targets().contains(where: { $0.name == name }) else {
      throw ServiceError("there is already a target named \(name)", .failed)
    }
    return name
  }

  /// Adds a target for mail. Whoever signs in here must not read files and variables of the server, so the
  /// password is given itself.
  private func addMailTarget() throws -> Response {
    let name = try newName()
    let recipients = (call.text("recipients") ?? "").split { $0 == "," || $0.isWhitespace }
    let mail = AlertTarget.Mail(
      server: call.text("server") ?? "", sender: call.text("sender") ?? "",
      recipients: recipients.map(String.init), user: call.text("user"),
      password: call.text("password").map { AlertTarget.storedPassword + $0 },
      isPlain: call.form["plain"] != nil)
    try changing { try alerts.set(AlertTarget(name: name, way: .mail(mail)), now: call.now) }
    try call.note("add alert target", name)
    return back
  }

  func decideAboutTarget() throws -> Response {
    let name = call.parameter("name")
    switch call.parameter("action") {
    case "test":
      let (isSent, answer) = try changing { try AlertRound.test(name, in: alerts) }
      try call.note("test alert target", name)
      return try response(
        """
        <p class="message" role="status">\(isSent ? "Sent" : "Not sent") to \(name): \(answer)</p>
        """)
    case "remove":
      try changing { try alerts.removeTarget(name) }
      try call.note("remove alert target", name)
      return back
    default: throw ServiceError("unknown action", .notFound)
    }
  }

  // MARK: Deliveries

  private func deliveries() throws -> HTML {
    var table = CardTable([
      ("Time", .text), ("Rule", .text), ("Target", .text), ("Alerts", .number), ("State", .text),
      ("Attempts", .number), ("Response", .side),
    ])
    for delivery in try alerts.log(Self.mostDeliveries) {
      let state: HTML =
        switch delivery.state {
        case .waiting(let due) where delivery.attempts > 0:
          "next attempt at \(String(due.description.dropFirst(11).prefix(5))) UTC"
        case .waiting: "waiting"
        case .sent: "sent"
        case .failed: "<b>failed</b>"
        }
      table.add([
        PageText.time(delivery.created, now: call.now),
        delivery.isTest ? "test" : "\(delivery.rule) \(delivery.kind.rawValue)",
        "\(delivery.target)",
        "\(delivery.count + delivery.more)", state, "\(delivery.attempts)",
        "\(delivery.answer ?? "")",
      ])
    }
    return table.isEmpty ? "<p class=\"empty\">Nothing has been sent yet.</p>" : table.markup
  }

  // MARK: Forms

  private var back: Response { .empty(.seeOther, headers: ["Location": "/server/alerts"]) }

  private func changing<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AlertError {
      throw ServiceError(error)
    }
  }
}
