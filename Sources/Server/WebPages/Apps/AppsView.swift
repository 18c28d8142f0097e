internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel
internal import Updates

/// The apps: snippets to connect each to this server, and its settings.
struct AppsView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  static func path(_ app: String) -> String { "/apps/" + app.inAddress }

  private static let mostApps = 200

  func response() throws -> Response {
    let apps = try call.service.apps()
    var table = CardTable([
      ("App", .text), ("Groups", .number), ("Last seen", .side), ("Key", .mono),
    ])
    for app in apps.prefix(Self.mostApps) {
      var newest = GroupQuery(
        try Query(QueryWords.condition("app", app.name), now: call.now))
      newest.order = .lastSeen
      newest.limit = 1
      let groups = try call.service.groups(newest)
      table.add(
        [
          "<a href=\"\(Self.path(app.name))\">\(app.name)</a>", "\(PageText.number(groups.total))",
          PageText.time(groups.first?.lastSeen, now: call.now), "\(app.intakeKey)",
        ], link: true)
    }
    let left = apps.count - Self.mostApps
    let rest: HTML =
      left > 0 ? "<p class=\"quiet\">and \(PageText.count(left, "more", "more"))</p>" : .none
    let next: HTML =
      mayAdd ? "Add your app; its page shows how to connect it." : "Ask an admin to add one."
    let list: HTML =
      apps.isEmpty ? "<p class=\"empty\">No apps yet. \(next)</p>" : "\(table.markup)\(rest)"
    return call.page(
      "Apps", in: .apps,
      """
      <h1>Apps</h1>
      \(Self.form(call))
      \(list)
      \(apps.contains { $0.name == AppName.unnamed } ? Self.unnamed : .none)
      """)
  }

  private var mayAdd: Bool { Self.mayAdd(call) }

  private static func mayAdd(_ call: PageCall) -> Bool {
    call.visitor.account.allows(.admin) && call.visitor.account.app == nil
  }

  /// The form that adds an app; empty for visitors who may not.
  ///
  /// - Parameter isFirst: Whether it leads back to the first page.
  static func form(_ call: PageCall, isFirst: Bool = false) -> HTML {
    guard mayAdd(call) else { return .none }
    let back: HTML = isFirst ? "<input type=\"hidden\" name=\"back\" value=\"/\">" : .none
    return """
      <form class="card fields" method="post" action="/apps">\(call.formField)\(back)
      <label><span>Name of your app</span><input name="name" value="\(call.typed("name", in: "/apps"))" required autocomplete="off"></label>
      <p><button class="primary">Add app</button></p></form>
      """
  }

  private static let unnamed: HTML = """
    <p class="quiet"><b>\(AppName.unnamed)</b> has the reports that name no app. To give them one, send them with an \
    app's key, or run <code>mayday ingest --app NAME</code>.</p>
    """

  func add() throws -> Response {
    guard let name = call.text("name") else {
      throw ServiceError("enter a name for the app", .wrongUsage)
    }
    // Adding an existing app would only give it another secret.
    guard try !call.service.apps().contains(where: { $0.name == name }) else {
      throw ServiceError("there is already an app named \(name)", .failed)
    }
    try call.service.addApp(name, secret: AppSnippets.newSecret())
    try call.note("add app", name)
    return .empty(
      .seeOther, headers: ["Location": call.form["back"] == "/" ? "/" : Self.path(name)])
  }

  /// Creates the secret that SDKs need, for an app without one.
  func makeSecret() throws -> Response {
    let app = try app()
    guard app.secrets.isEmpty else {
      throw ServiceError("\(app.name) already has a secret", .failed)
    }
    try call.service.addApp(app.name, secret: AppSnippets.newSecret())
    try call.note("add app secret", app.name)
    return .empty(.seeOther, headers: ["Location": Self.path(app.name)])
  }

  // MARK: One app

  private func app() throws -> AppRecord {
    let name = call.parameter("app")
    guard let app = try call.service.apps().first(where: { $0.name == name }) else {
      throw StoreError.unknownApp(name, among: try call.service.apps().map(\.name))
    }
    return app
  }

  /// Sets or removes the tracker of the app's issues.
  func setTracker() throws -> Response {
    let app = try app()
    try call.service.setTracker(TrackerForm(call: call, app: app).tracker(), of: app.name)
    try call.note("set tracker", app.name)
    return .empty(.seeOther, headers: ["Location": Self.path(app.name)])
  }

  /// Sets the roles that see parts of the app's reports.
  func setProtection() throws -> Response {
    let app = try app()
    try call.service.setProtection(
      ProtectionForm(call: call, app: app).protection(), of: app.name)
    try call.note("protect reports", app.name)
    return .empty(.seeOther, headers: ["Location": Self.path(app.name)])
  }

  func one() throws -> Response { try one(note: .none, retention: nil) }

  private func one(note: HTML, retention: Retention?) throws -> Response {
    let app = try app()
    let settings = try call.service.updateSettings(of: app.name).settings
    return call.page(
      app.name, in: .apps,
      """
      <p class="quiet"><a href="/apps">Apps</a></p>
      <h1>\(app.name)</h1>
      \(note)
      <section><h2>Connect</h2><div class="card">\(AppSnippets(call: call, app: app).content)</div></section>
      <section><h2>Retention</h2>\(retentionForm(app, retention ?? app.retention))</section>
      <section><h2>Groups and updates</h2>\(settingsForm(app, settings))</section>
      <section><h2>Issue tracker</h2>\(TrackerForm(call: call, app: app).form)</section>
      <section id="protection"><h2>Hidden parts of reports</h2>\(ProtectionForm(call: call, app: app).form)</section>
      <p><a class="button" href="\(Self.path(app.name))/configuration">Remote configuration</a>
      <a class="button" href="\(CheckView.path(app.name))">Check for updates</a>
      <a class="button" href="\(ReleaseUpload.path(app.name))">Add a release</a>
      <a class="button" href="\(Self.path(app.name))/files">Hand over crash files</a>
      \(TestersView.link(app.name, call))</p>
      """)
  }

  private var isAdmin: Bool { call.visitor.account.allows(.admin) }

  private func retentionForm(_ app: AppRecord, _ retention: Retention) -> HTML {
    let off: HTML = isAdmin ? .none : " disabled"
    let path = Self.path(app.name) + "/retention"
    func field(_ name: String, _ label: String, _ value: String, _ hint: String) -> HTML {
      """
      <label><span>\(label)</span><input name="\(name)" value="\(call.typed(name, in: path, else: value))" placeholder="\(hint)" \
      autocomplete="off"\(off)></label>
      """
    }
    let buttons: HTML =
      isAdmin
      ? """
      <p class="actions"><button name="do" value="save" class="primary">Save</button>\
      <button name="do" value="preview">Preview</button></p>
      """ : .none
    return """
      <form class="card" method="post" action="\(path)">\(call.formField)
      <p class="quiet"><code>mayday gc</code> deletes reports beyond a limit. It keeps one report of each \
      group and version, and deleted reports still count.</p>
      <div class="fields">\(field("days", "Days", retention.days.map(String.init) ?? "", "no limit"))\
      \(field("bytes", "Disk space", retention.bytes.map { DebugFileList.size($0) } ?? "", "no limit, or 10GB"))\
      \(field("per-group", "Reports per group", retention.perGroup.map(String.init) ?? "", "no limit"))\
      \(field("per-day", "Stored per group, build and day", retention.perDay.map(String.init) ?? "", "the server's number, or 0 for all"))</div>
      \(buttons)</form>
      """
  }

  func setRetention() throws -> Response {
    let app = try app()
    var retention = Retention(
      days: try call.count("days"), perGroup: try call.count("per-group"),
      perDay: try call.count("per-day"))
    if let text = call.text("bytes") {
      guard let size = ByteSize(argument: text) else {
        throw ServiceError("'\(text)' is not a size; use 500MB or 10GB", .wrongUsage)
      }
      // The page shows a rounded size, which is saved only if the user changed it.
      let old = app.retention.bytes
      retention.bytes = old.map { DebugFileList.size($0) } == text ? old : size.bytes
    }
    switch call.form["do"] {
    case "preview":
      let counts =
        retention.isUnlimited
        ? [] : try call.context.store.retention.expiring(retention, of: app.name, at: call.now)
      let reports = counts.reduce(0) { $0 + $1.reports }
      let bytes = counts.reduce(0) { $0 + $1.bytes }
      let rows = counts.filter { $0.reports > 0 }.map { count -> HTML in
        "<li>\(PageText.number(count.reports)) by \(Self.words(count.reason))</li>"
      }
      return try one(
        note: """
          <div class="card" role="status"><p>With these limits, <code>mayday gc</code> would now delete \
          <b>\(GroupText.count(reports, "report", "reports"))</b> (\(DebugFileList.size(bytes)) of submissions). \
          Nothing is saved yet.</p><ul>\(rows)</ul></div>
          """, retention: retention)
    case "save":
      try call.service.setRetention(retention, of: app.name)
      try call.note("keep reports", app.name)
      return .empty(.seeOther, headers: ["Location": Self.path(app.name)])
    default: throw ServiceError("unknown action", .notFound)
    }
  }

  private static func words(_ reason: ExpiryReason) -> String {
    switch reason {
    case .age: "age"
    case .group: "group size"
    case .space: "disk space"
    }
  }

  private func settingsForm(_ app: AppRecord, _ settings: [String: String]) -> HTML {
    let off: HTML = isAdmin ? .none : " disabled"
    let path = Self.path(app.name) + "/settings"
    let policy = settings[AppUpdates.knownFixSetting] ?? KnownFixPolicy.suggest.rawValue
    let policies = KnownFixPolicy.allCases.map { each -> HTML in
      let mark = call.mark(
        " selected", "known-fix", each.rawValue, in: path, else: each.rawValue == policy)
      return "<option\(mark)>\(each.rawValue)</option>"
    }
    let button: HTML =
      isAdmin ? "<p><button class=\"primary\">Save</button></p>" : .none
    return """
      <form class="card" method="post" action="\(path)">\(call.formField)
      <div class="fields"><label><span>Group ids begin with</span><input name="prefix" value="\(call.typed("prefix", in: path, else: app.prefix))" \
      required autocomplete="off"\(off)></label>
      <label><span>Link similar groups</span><input name="link" value="\(call.typed("link", in: path, else: app.linking?.text ?? ""))" \
      placeholder="on, off or 0.70" autocomplete="off"\(off)></label>
      <label><span>Releases that fix a crash</span><select name="known-fix"\(off)>\(policies)</select></label></div>
      <p class="quiet">A new stack joins a group whose stack is similar: “on” at the usual likeness, a number from \
      0.01 to 1 at another one, “off” never. Clients that ask are told of a release that fixes their crash: \
      “suggest” offers it, “require” insists on it, “off” says nothing.</p>
      \(button)</form>
      """
  }

  func setSettings() throws -> Response {
    let app = try app()
    let policy = call.form["known-fix"].flatMap(KnownFixPolicy.init(rawValue:))
    guard let policy else {
      throw ServiceError(
        "the setting for releases that fix a crash must be suggest, require or off", .wrongUsage)
    }
    var linking: LinkPolicy?
    if let text = call.text("link") {
      guard let read = LinkPolicy(text) else {
        throw ServiceError(
          "linking must be on, off, or a likeness from 0.01 to 1, such as 0.70", .wrongUsage)
      }
      linking = read
    }
    // The prefix comes first: if it is refused, nothing changes.
    if let prefix = call.text("prefix"), prefix != app.prefix {
      try call.service.setPrefix(prefix, of: app.name)
    }
    if let linking, linking != app.linking {
      try call.service.setLinking(linking, of: app.name)
    }
    try call.service.setKnownFixPolicy(policy, of: app.name, by: call.visitor.account.name)
    try call.note("set app", app.name)
    return .empty(.seeOther, headers: ["Location": Self.path(app.name)])
  }
}
