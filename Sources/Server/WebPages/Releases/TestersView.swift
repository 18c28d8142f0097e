internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Updates

/// The testers and distribution groups of an app, and the mails to them.
struct TestersView {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  /// The maximum number of mails on the page, the newest.
  private static let mostMails = 50
  /// The maximum number of testers on the page.
  private static let mostTesters = 500
  /// The maximum number of addresses in one form.
  private static let mostInvited = 100

  static func path(_ app: String) -> String { AppsView.path(app) + "/testers" }

  private var app: String { call.parameter("app") }
  private var path: String { Self.path(app) }
  private var author: String { call.visitor.account.name }

  /// The link to the page; empty for visitors who may not see it.
  static func link(_ app: String, _ call: PageCall) -> HTML {
    call.visitor.account.allows(.releases)
      ? " <a class=\"button\" href=\"\(path(app))\">Testers</a>" : .none
  }

  func response() throws -> Response { try page() }

  /// An invitation, shown once.
  private struct Shown {
    let invited: InvitedTester
    let link: String
  }

  private func page(_ shown: [Shown] = []) throws -> Response {
    let groups = try call.service.distributionGroups(of: app)
    let testers = try call.service.testers(of: app)
    let mails = try call.service.testerMails(of: app)
    let isMailing = try call.context.alerts.testerMailing() != nil
    return call.page(
      "Testers of \(app)", in: .apps,
      """
      <p class="quiet"><a href="/apps">Apps</a> · <a href="\(AppsView.path(app))">\(app)</a></p>
      <h1>Testers of \(app)</h1>
      \(links(shown))
      \(invitation(groups, isMailing))
      \(list(testers, groups))
      \(list(groups, testers))
      \(log(mails, isMailing))
      """)
  }

  // MARK: Parts

  private func links(_ shown: [Shown]) -> HTML {
    guard !shown.isEmpty else { return .none }
    let lines = shown.map { each -> HTML in
      let mail: HTML =
        each.invited.isMailed
        ? "The server mails it."
        : each.invited.tester.isUnsubscribed
          ? "This tester wants no mails: send the link yourself." : "Send it to the tester."
      return """
        <p><b>\(each.invited.tester.email)</b> \(mail)</p>
        <pre class="message" tabindex="0">\(each.link)</pre>
        """
    }
    return """
      <div role="status"><p>Each link works once, within two weeks, and is shown only now.</p>\(lines)</div>
      """
  }

  private func invitation(_ groups: [DistributionGroup], _ isMailing: Bool) -> HTML {
    let options = groups.map { group -> HTML in
      let mark = call.mark(" selected", "group", group.id, in: path, else: false)
      return "<option value=\"\(group.id)\"\(mark)>\(group.name)</option>"
    }
    let mark = call.mark(" checked", "mail", "on", in: path, else: true)
    let mail: HTML =
      isMailing
      ? """
      <p><label><input type="checkbox" name="mail" value="on"\(mark)> Mail the invitations</label></p>
      """ : .none
    return """
      <form class="card" method="post" action="\(path)">\(call.formField)
      <div class="fields"><label><span>Addresses of testers</span>\
      <textarea name="emails" rows="2" required>\(call.typed("emails", in: path))</textarea></label>
      <label><span>Group</span><select name="group">\(options)</select></label></div>
      \(mail)<p><button class="primary">Invite</button></p></form>
      """
  }

  private func button(_ address: String, _ action: String, _ words: String) -> HTML {
    """
    <form method="post" action="\(address)">\(call.formField)\
    <button class="small" name="do" value="\(action)">\(words)</button></form>
    """
  }

  private func list(_ testers: [Tester], _ groups: [DistributionGroup]) -> HTML {
    guard !testers.isEmpty else { return "<p class=\"empty\">No testers yet.</p>" }
    var table = CardTable([
      ("Tester", .text), ("State", .text), ("Last seen", .side), ("Groups", .text),
      ("Actions", .actions),
    ])
    for tester in testers.prefix(Self.mostTesters) {
      let address = path + "/" + tester.id.inAddress
      let names = groups.filter { tester.groups.contains($0.id) }.map(\.name)
      let cancel: HTML =
        tester.invitedUntil == nil ? .none : button(address, "cancel", "Cancel invitation")
      table.add([
        "<span class=\"breaks\">\(tester.email)</span>", "\(TesterList.state(of: tester))",
        tester.lastSeen == nil ? "never" : PageText.time(tester.lastSeen, now: call.now),
        "\(names.joined(separator: ", "))",
        """
        \(button(address, "resend", "New invitation"))\(cancel)\
        \(button(address, "revoke", "Sign out"))\
        \(call.removal(
          address, "Remove", value: "remove",
          asks: "Remove \(tester.email)? Invitations, sessions and update tokens end."))
        """,
      ])
    }
    let rest = testers.count - Self.mostTesters
    let more: HTML =
      rest > 0 ? "<p class=\"quiet\">and \(PageText.count(rest, "more", "more"))</p>" : .none
    return """
      \(table.markup)\(more)
      <p class="quiet small">Last seen: when the tester's app last asked for a private update. “Sign out” ends \
      invitations, sessions and update tokens; the tester stays in the groups.</p>
      """
  }

  private func list(_ groups: [DistributionGroup], _ testers: [Tester]) -> HTML {
    var table = CardTable([
      ("Group", .text), ("Kind", .text), ("Testers", .number), ("Actions", .actions),
    ])
    for group in groups {
      let address = AppsView.path(app) + "/distribution-groups/" + group.id.inAddress
      let remove: HTML =
        group.name == DistributionGroup.collaborators
        ? .none
        : call.removal(
          address, "Remove", value: "remove",
          asks:
            "Remove \(group.name)? Releases published to it are offered to its testers no longer.")
      table.add([
        "\(group.name)", group.isPublic ? "public" : "private",
        "\(PageText.number(testers.count { $0.groups.contains(group.id) }))",
        """
        \(group.isPublic
          ? button(address, "private", "Make private") : button(address, "public", "Make public"))\(remove)
        """,
      ])
    }
    let form = AppsView.path(app) + "/distribution-groups"
    let mark = call.mark(" checked", "public", "on", in: form, else: false)
    return """
      <section><h2>Groups</h2>
      <p class="quiet">Everybody with the app gets releases of public groups; testers get those of their private \
      groups.</p>
      \(table.markup)
      <form class="card" method="post" action="\(form)">\(call.formField)
      <div class="fields"><label><span>New group</span><input name="name" value="\(call.typed("name", in: form))" \
      required autocomplete="off"></label></div>
      <p><label><input type="checkbox" name="public" value="on"\(mark)> For everybody with the app</label></p>
      <p><button>Create group</button></p></form></section>
      """
  }

  private func log(_ mails: [TesterMail], _ isMailing: Bool) -> HTML {
    guard !mails.isEmpty else {
      return isMailing
        ? .none
        : """
        <p class="quiet">No mails are sent to testers: <code>mayday alerts target --testers</code> sets up a mail \
        server.</p>
        """
    }
    var table = CardTable([
      ("Time", .side), ("To", .text), ("About", .text), ("State", .text), ("Answer", .text),
    ])
    for mail in mails.prefix(Self.mostMails) {
      table.add([
        PageText.time(mail.created, now: call.now), "<span class=\"breaks\">\(mail.email)</span>",
        mail.kind == .invitation
          ? "invitation" : "\(mail.releases.map(\.name).joined(separator: ", "))",
        "\(mail.state.rawValue)", "\(mail.answer ?? "")",
      ])
    }
    let rest = mails.count - Self.mostMails
    let more: HTML =
      rest > 0 ? "<p class=\"quiet\">and \(PageText.count(rest, "more", "more"))</p>" : .none
    return "<section><h2>Mails</h2>\(table.markup)\(more)</section>"
  }

  // MARK: Changes

  private var back: Response { .empty(.seeOther, headers: ["Location": path]) }

  private func finish(_ action: String, _ subject: String) throws {
    try call.note(action, "\(app) \(subject)")
    try call.context.updates.refresh()
  }

  private func shown(_ invited: InvitedTester) -> Shown {
    Shown(
      invited: invited,
      link: call.request.head.origin + "/install/invitations/" + invited.invitation)
  }

  func invite() throws -> Response {
    let emails = (call.form["emails"] ?? "")
      .split { $0.isWhitespace || $0 == "," || $0 == ";" }.map(String.init)
    guard (1...Self.mostInvited).contains(emails.count) else {
      throw ServiceError("enter 1 to \(Self.mostInvited) addresses", .wrongUsage)
    }
    var invited: [Shown] = []
    do {
      for email in emails {
        let one = try call.service.inviteTester(
          email, to: call.form["group"] ?? "", of: app, by: author, mails: call.form["mail"] == "on"
        )
        try finish("invite tester", one.tester.email)
        invited.append(shown(one))
      }
    } catch let error as DistributionError where !invited.isEmpty {
      // Those before the wrong one are invited, and their links are shown only now.
      return try call.refusing(error, from: path, call.form) { try Self($0).page(invited) }
    }
    return try page(invited)
  }

  func change() throws -> Response {
    let tester = call.parameter("tester")
    switch call.form["do"] {
    case "resend":
      let invited = try call.service.resendInvitation(tester, of: app, by: author, mails: nil)
      try finish("invite tester", invited.tester.email)
      return try page([shown(invited)])
    case "cancel":
      _ = try call.service.revokeTester(tester, of: app, by: author, onlyInvitations: true)
      try finish("revoke invitations", tester)
    case "revoke":
      _ = try call.service.revokeTester(tester, of: app, by: author, onlyInvitations: false)
      try finish("revoke tester", tester)
    case "remove":
      try call.service.removeTester(tester, from: nil, of: app, by: author)
      try finish("remove tester", tester)
    default: throw ServiceError("unknown action", .notFound)
    }
    return back
  }

  func addGroup() throws -> Response {
    let group = try call.service.addDistributionGroup(
      call.form["name"] ?? "", isPublic: call.form["public"] == "on", to: app, by: author)
    try finish("add distribution group", group.name)
    return back
  }

  func changeGroup() throws -> Response {
    let group = call.parameter("group")
    switch call.form["do"] {
    case "public", "private":
      _ = try call.service.editDistributionGroup(
        group, of: app, name: nil, isPublic: call.form["do"] == "public", by: author)
      try finish("edit distribution group", group)
    case "remove":
      try call.service.removeDistributionGroup(group, of: app, by: author)
      try finish("remove distribution group", group)
    default: throw ServiceError("unknown action", .notFound)
    }
    return back
  }
}
