internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Updates

/// One release: its adoption, stability, new and fixed groups, and roll-out.
struct ReleaseView {
  let call: PageCall

  /// The number of days of adoption shown.
  private static let days = 14

  init(_ call: PageCall) { self.call = call }

  private var app: String { call.parameter("app") }
  private var release: Release { Release(call.parameter("release")) }

  func response() throws -> Response {
    let figures = try call.service.figures(of: release, app: app, days: nil)
    let files = try files(figures)
    let comparison = try ReleaseComparison(call: call, figures: figures)
    return call.page(
      "\(app) \(release.name)", in: .releases,
      """
      <p class="quiet"><a href="/releases">Releases</a></p>
      <h1>\(app) \(release.name)</h1>
      \(facts(figures, comparison))
      \(comparison.frequencies)
      \(groups("Regressed groups", "back", "resolved before, and back in this release", figures.regressions))
      \(groups("New groups", "new", "seen in no earlier release", figures.newGroups))
      \(groups("Fixed groups", "fixed", "resolved in this release", figures.fixedGroups))
      \(missing(figures))
      \(rollout(figures))
      \(files)
      \(downloads(figures.distribution))
      \(adoption(figures))
      \(history(figures))
      """)
  }

  // MARK: Facts

  private func facts(_ figures: ReleaseFigures, _ comparison: ReleaseComparison) -> HTML {
    // The quotes exclude versions that only begin the same; without a build, all builds match.
    let release = figures.release.build.isEmpty ? figures.release.version : figures.release.name
    let query = "\(QueryWords.condition("app", figures.app)) version:\(release.inQuery)"
    let search = "/?q=" + query.inAddress + "&status=all"
    let counts = figures.crashFree
    let days = "\(GroupText.day(figures.days.first)) to \(GroupText.day(figures.days.last))"
    var rates: HTML = .none
    var sessions: HTML =
      "No sessions from \(days). Crash-free rates need clients that report sessions."
    if counts.sessions > 0 {
      rates = """
        <li title="\(AppCrashFree.formula)"><b>\(CrashFreeText.percent(counts.sessionRate))</b>crash-free sessions
        <div class="quiet small">\(PageText.number(counts.crashedSessions)) of \(PageText.number(counts.sessions)) crashed</div>\
        \(comparison.former(.sessions))</li>
        <li title="\(AppCrashFree.formula)"><b>\(CrashFreeText.percent(counts.userRate))</b>crash-free users
        <div class="quiet small">\(PageText.number(counts.crashedInstalls)) of \(PageText.number(counts.installs)) crashed</div>\
        \(comparison.former(.users))</li>

        """
      let reasons = CrashFreeText.sentence(CrashFreeText.reasons(of: counts))
      let older = figures.areReportsOlder ? ", after all reports of this release" : ""
      sessions = "\(reasons) Sessions from \(days)\(older). \(AppCrashFree.formula)"
    }
    var others = ""
    if let text = CrashFreeText.others(of: counts) { others = "; " + text }
    let fixes: HTML =
      figures.knownFixAnswers > 0
      ? "<li><b>\(PageText.number(figures.knownFixAnswers))</b>\(figures.knownFixAnswers == 1 ? "client" : "clients") offered it as the fix for their crash</li>"
      : .none
    let builds: HTML =
      figures.release.build.isEmpty && !figures.builds.isEmpty
      ? "<p class=\"quiet\">Builds: \(figures.builds.joined(separator: ", "))</p>" : .none
    let span: HTML =
      figures.firstSeen == nil
      ? .none
      : """
      <p class="quiet">First report \(PageText.time(figures.firstSeen, now: call.now)), last report \
      \(PageText.time(figures.lastSeen, now: call.now))</p>
      """
    return """
      <ul class="tiles">
      <li><b>\(PageText.number(figures.reports))</b><a href="\(search)">\(figures.reports == 1 ? "report" : "reports")</a>\(comparison.former(.reports))</li>
      <li><b>\(PageText.number(figures.groups))</b><a href="\(search)">\(figures.groups == 1 ? "group" : "groups")</a>\(comparison.former(.groups))</li>
      <li><b>\(PageText.number(figures.installs))</b>\(figures.installs == 1 ? "user" : "users")\(comparison.former(.installs))</li>
      \(rates)\(comparison.adoption)\(fixes)</ul>
      \(comparison.verdict)
      <p class="quiet small">\(sessions)\(others)</p>
      \(span)\(builds)
      """
  }

  // MARK: Lists

  private func section(
    _ title: String, id: String, _ total: Int, _ words: String, _ content: HTML
  ) -> HTML {
    """
    <section id="\(id)"><h2>\(title) <span class="quiet">\(PageText.number(total))</span></h2>
    <p class="quiet">\(words)</p>\(content)</section>
    """
  }

  private func groups(
    _ title: String, _ id: String, _ words: String,
    _ top: ReleaseFigures.TopItems<ReleaseFigures.Group>
  ) -> HTML {
    guard top.total > 0 else { return .none }
    var table = CardTable([
      ("Group", .text), ("Id", .side), ("Reports in this release", .number), ("Status", .text),
    ])
    for group in top.items {
      table.add(
        [
          "<a class=\"signature\" href=\"/groups/\(group.id.inAddress)\">\(group.signature)</a>",
          "\(group.id)", "\(PageText.number(group.reports))", PageText.status(group.state),
        ], link: true)
    }
    return section(
      title, id: id, top.total, words, "\(table.markup)\(more(top.total - top.items.count))")
  }

  private func missing(_ figures: ReleaseFigures) -> HTML {
    let top = figures.missing
    guard top.total > 0 else { return .none }
    var table = CardTable([
      ("Image", .text), ("Architecture", .text), ("Reports in all releases", .number),
      ("Debug id", .mono),
    ])
    for image in top.items {
      table.add([
        "<b class=\"breaks\">\(image.name.isEmpty ? "no name" : image.name)</b>",
        "\(image.architecture?.description ?? "")", "\(PageText.number(image.reports))",
        "\(image.debugID?.description ?? "no build id")",
      ])
    }
    return section(
      "Missing debug files", id: "missing", top.total, "of the app's own code",
      """
      \(table.markup)\(more(top.total - top.items.count))
      <p><a class="button" href="/symbols">Upload debug files</a></p>
      """)
  }

  private func more(_ count: Int) -> HTML {
    count > 0 ? "<p class=\"quiet\">and \(PageText.number(count)) more</p>" : .none
  }

  // MARK: Files and roll-out

  private var path: String { ReleasesView.path(app, release) }

  private func rollout(_ figures: ReleaseFigures) -> HTML {
    // A release without files cannot be offered.
    guard !figures.artefacts.isEmpty || figures.rollouts.contains(where: { $0.rollout != nil })
    else { return .none }
    let builds = figures.rollouts.map { build -> HTML in
      let share =
        build.rollout.map { "offered to \($0.percent) %\($0.pause == nil ? "" : ", paused")" }
        ?? "offered to all"
      var notes: [HTML] = []
      // The pause by a test is in the test's own words, which follow.
      if let pause = build.rollout?.pause, pause != build.look?.text {
        notes.append("<p>Paused: \(pause)</p>")
      }
      if let look = build.look { notes.append(ReleaseComparison.verdict(of: look)) }
      return "<li><b>\(build.release.name)</b> \(share)\(notes)</li>"
    }
    var form: HTML = .none
    if call.visitor.account.allows(.triage) {
      let percent = figures.rollouts.compactMap(\.rollout?.percent).max() ?? 100
      form = """
        <form class="actions" method="post" action="\(path)/rollout">\(call.formField)
        <label>Percent of users <input type="number" name="percent" min="0" max="100" value="\(call.typed("percent", in: path + "/rollout", else: "\(percent)"))"></label>
        <button name="do" value="share" class="primary">Offer</button>
        <button name="do" value="pause">Pause</button><button name="do" value="resume">Resume</button></form>
        """
    }
    return """
      <section id="roll-out"><h2>Roll-out</h2>
      <ul>\(builds.isEmpty ? ["<li>offered to all</li>"] : builds)</ul>
      \(form)</section>
      """
  }

  private func files(_ figures: ReleaseFigures) throws -> HTML {
    guard !figures.artefacts.isEmpty else { return .none }
    let warnings = try call.service.releaseWarnings(of: app, release: release)
    let mayChange = call.visitor.account.allows(.releases)
    let groups = try call.service.distributionGroups(of: app)
    let names = Dictionary(groups.map { ($0.id, $0.name) }) { first, _ in first }
    let isMailing = try call.context.alerts.testerMailing() != nil
    var forms: [HTML] = []
    var table = CardTable([
      ("File", .text), ("Number", .number), ("Size", .number), ("Uploaded", .side),
      ("Status", .text), ("Actions", .actions),
    ])
    for artefact in figures.artefacts {
      var form: HTML = .none
      if mayChange {
        forms.append(publication(of: artefact, groups, isMailing))
        let (action, words) = artefact.isEnabled ? ("disable", "Disable") : ("enable", "Enable")
        form = """
          <form method="post" action="\(path)/files/\(artefact.number)">\(call.formField)\
          <button class="small" name="do" value="\(action)">\(words)</button></form>
          """
      }
      let notes: HTML =
        artefact.notes.isEmpty
        ? .none
        : "<details><summary>Release notes</summary>\(HTML(markdown: artefact.notes))</details>"
      let problems = warnings.filter { $0.number == artefact.number }.map { warning -> HTML in
        "<p class=\"message\" role=\"note\">\(warning.text)</p>"
      }
      table.add([
        "<span class=\"breaks\">\(artefact.fileName)</span>\(problems)\(notes)",
        "\(artefact.number)",
        "\(DebugFileList.size(artefact.size))", PageText.time(artefact.uploaded, now: call.now),
        status(of: artefact, names), form,
      ])
    }
    let rollBack: HTML =
      mayChange
      ? """
      <p class="quiet">To roll back, disable the file: clients are offered the release before it. What is installed \
      stays.</p>
      """ : .none
    return """
      <section id="files"><h2>Files</h2>\(table.markup)\(rollBack)\(forms)\(try installPage(figures))</section>
      """
  }

  /// The state of a file, and whom it was published to.
  ///
  /// - Parameter names: The names of distribution groups, by their ids.
  private func status(of artefact: Artefact, _ names: [String: String]) -> HTML {
    let recipients = ReleaseRecipients(of: artefact, names: names).text
    guard artefact.isEnabled else {
      return recipients.isEmpty ? "disabled" : "disabled, published to \(recipients)"
    }
    return recipients.isEmpty ? "not published" : "published to \(recipients)"
  }

  /// A link to the page from which users install the app, if a file of the release is offered there, or was
  /// before a newer one.
  private func installPage(_ figures: ReleaseFigures) throws -> HTML {
    let shown = figures.artefacts.filter { $0.isEnabled && $0.package.kind != .aab }
    let published = Set(shown.flatMap(\.destinations).map(\.id))
    let isPublic = try call.service.distributionGroups(of: figures.app).contains {
      $0.isPublic && published.contains($0.id)
    }
    guard isPublic else { return .none }
    return "<p><a href=\"\(InstallPage.path(ofApp: figures.app))\">Install page for users</a></p>"
  }

  private func publication(
    of artefact: Artefact, _ groups: [DistributionGroup], _ isMailing: Bool
  ) -> HTML {
    let names = Dictionary(groups.map { ($0.id, $0.name) }) { first, _ in first }
    let action = "\(path)/files/\(artefact.number)"
    // The button that disables a file sends no notes.
    let typed = call.fields(ofRefused: action).flatMap { $0["notes"] == nil ? nil : $0 }
    let form =
      typed.map { PublicationForm($0.items.map { ($0.name, $0.value) }) }
      ?? PublicationForm(of: artefact, names: names)
    return """
      <details\(typed == nil ? .none : " open" as HTML)><summary>Publish #\(artefact.number) \(artefact.fileName)</summary>
      <form class="card" method="post" action="\(action)">\(call.formField)
      \(form.fields(groups, isMailing: isMailing))
      <p class="actions"><button name="do" value="preview">Preview</button>\
      <button name="do" value="publish" class="primary">Publish</button></p></form></details>

      """
  }

  /// A page that shows what clients would be told, and publishes.
  private func preview(_ artefact: Artefact, _ form: PublicationForm) throws -> Response {
    let groups = try call.service.distributionGroups(of: app)
    let isMailing = try call.context.alerts.testerMailing() != nil
    try call.context.updates.refresh()
    let now =
      call.context.updates.catalog.apps[app]
      ?? AppUpdates(app: app, artefacts: [], groups: groups, testers: [], salt: app)
    let later = now.publishing(
      artefact, to: groups.filter { form.groups.contains($0.name) }.map(\.id),
      isMandatory: form.isMandatory)
    let notes: HTML =
      form.notes.isEmpty
      ? .none
      : "<section class=\"card\"><h2>Release notes</h2>\(HTML(markdown: form.notes))</section>"
    let disabled: HTML =
      artefact.isEnabled
      ? .none : "<p>The file is disabled: clients get this answer once it is enabled.</p>"
    return call.page(
      "Publish \(app) \(release.name)", in: .releases,
      """
      <p class="quiet"><a href="\(path)">\(app) \(release.name)</a></p>
      <h1>Publish #\(artefact.number) \(artefact.fileName)</h1>
      \(PublicationForm.preview(now, later, on: artefact.platform))\(disabled)
      \(notes)
      <form class="card" method="post" action="\(path)/files/\(artefact.number)">\(call.formField)
      \(form.fields(groups, isMailing: isMailing))
      <p class="actions"><button name="do" value="preview">Preview</button>\
      <button name="do" value="publish" class="primary">Publish</button></p></form>
      """)
  }

  /// Publishes a file to the chosen groups, and to no others.
  private func publish(_ artefact: Artefact, _ form: PublicationForm) throws {
    let author = call.visitor.account.name
    let groups = try call.service.distributionGroups(of: app)
    if let unknown = form.groups.first(where: { name in !groups.contains { $0.name == name } }) {
      throw ServiceError("\(app) has no distribution group \(unknown)", .notFound)
    }
    if form.notes != artefact.notes {
      _ = try call.service.editArtefact(
        artefact.number, of: app, .init(notes: form.notes), by: author)
    }
    let published = Set(artefact.destinations.filter { $0.kind == .group }.map(\.id))
    let left = groups.filter { published.contains($0.id) && !form.groups.contains($0.name) }
    if !left.isEmpty {
      _ = try call.service.withdrawArtefact(
        artefact.number, of: app, from: ArtefactAudience(groups: left.map(\.name)), by: author)
      try call.note("withdraw release", "\(app) #\(artefact.number)")
    }
    if !form.groups.isEmpty {
      _ = try call.service.publishArtefact(
        artefact.number, of: app,
        to: form.audience, by: author)
      try call.note("publish release", "\(app) #\(artefact.number)")
    }
    try call.context.updates.refresh()
  }

  func rollOut() throws -> Response {
    let change: RolloutChange
    switch call.form["do"] {
    case "share":
      guard let percent = call.form["percent"].flatMap({ Int($0) }), (0...100).contains(percent)
      else { throw ServiceError("enter a number from 0 to 100", .wrongUsage) }
      change = .share(percent)
    case "pause": change = .pause
    case "resume": change = .resume
    default: throw ServiceError("unknown action", .notFound)
    }
    _ = try call.service.rollOut(release, app: app, change, by: call.visitor.account.name)
    try call.note("roll out", "\(app) \(release.name)")
    return back
  }

  func changeFile() throws -> Response {
    guard let number = Int(call.parameter("number")) else {
      throw ServiceError("there is no file with that number", .notFound)
    }
    let isEnabled: Bool
    switch call.form["do"] {
    case "preview", "publish":
      guard
        let artefact = try call.service.artefacts(of: app, release: release)
          .first(where: { $0.number == number })
      else { throw ServiceError("there is no file with that number", .notFound) }
      let form = PublicationForm(call.form.items.map { ($0.name, $0.value) })
      if call.form["do"] == "preview" { return try preview(artefact, form) }
      try publish(artefact, form)
      return back
    case "enable": isEnabled = true
    case "disable": isEnabled = false
    default: throw ServiceError("unknown action", .notFound)
    }
    _ = try call.service.editArtefact(
      number, of: app, .init(isEnabled: isEnabled), by: call.visitor.account.name)
    try call.note(isEnabled ? "enable file" : "disable file", "\(app) #\(number)")
    return back
  }

  private var back: Response { .empty(.seeOther, headers: ["Location": path]) }

  // MARK: Downloads, adoption and history

  private func downloads(_ figures: DistributionFigures) -> HTML {
    guard !figures.groups.isEmpty else { return .none }
    var groups = CardTable([("Group", .text), ("Downloads", .number), ("Installations", .number)])
    for group in figures.groups {
      groups.add([
        "\(group.name ?? "no group")", "\(PageText.number(group.downloads))",
        "\(PageText.number(group.installs))",
      ])
    }
    var days: HTML = .none
    let totals = figures.totals.suffix(Self.days)
    if !totals.isEmpty {
      var table = CardTable([("Day", .text), ("Downloads", .number), ("Installations", .number)])
      for day in totals.reversed() {
        table.add([
          PageText.day(day.start), "\(PageText.number(day.downloads))",
          "\(PageText.number(day.installs))",
        ])
      }
      days = table.markup
    }
    return section(
      "Downloads", id: "downloads", figures.downloads,
      "and installations that reported one by its next check",
      "\(groups.markup)\(days)")
  }

  private func adoption(_ figures: ReleaseFigures) -> HTML {
    // The days before its first session say nothing.
    let days = figures.adoption.suffix(Self.days).drop { $0.sessions == 0 && $0.installs == 0 }
    guard !days.isEmpty else {
      guard !figures.adoption.isEmpty else { return .none }
      return """
        <section id="adoption"><h2>Adoption</h2>
        <p class="empty">No session of this release in the last \(Self.days) days.</p></section>
        """
    }
    var table = CardTable([
      ("Day", .text), ("Sessions", .number), ("Share of sessions", .share), ("Users", .number),
      ("Share of users", .share),
    ])
    for day in days.reversed() {
      table.add([
        PageText.day(day.start), "\(PageText.number(day.sessions))",
        Self.share(day.sessions, of: day.allSessions), "\(PageText.number(day.installs))",
        Self.share(day.installs, of: day.allInstalls),
      ])
    }
    return "<section id=\"adoption\"><h2>Adoption</h2>\(table.markup)</section>"
  }

  private static func share(_ part: Int, of all: Int) -> HTML {
    guard all > 0 else { return "–" }
    let percent = Percent.text(part, of: all)
    return """
      <span class="meter"><meter min="0" max="\(all)" value="\(part)" aria-label="\(percent)"></meter> \
      <span>\(percent)</span></span>
      """
  }

  private func history(_ figures: ReleaseFigures) -> HTML {
    guard !figures.history.isEmpty else { return .none }
    var table = CardTable([("Time", .side), ("Author", .text), ("Action", .text)])
    for event in figures.history.reversed() {
      table.add([
        PageText.time(event.time, now: call.now), "\(event.author)",
        "\(event.kind.rawValue) \(event.detail)",
      ])
    }
    return "<section><h2>History</h2>\(table.markup)</section>"
  }
}
