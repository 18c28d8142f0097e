internal import APIDocuments
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import Query
package import ServerCore
package import ServerStore
internal import Updates

/// `/v0.1/apps` and `/v0.1/user`: apps in App Center's REST API, and the caller.
package struct AppCenterAppsEndpoint {
  package let context: ServerContext

  /// Any token counts as a user, so that the command line client accepts it.
  package static let userScopes: [TokenScope] = [.read, .symbols, .triage, .ingest, .releases]
  /// The owner of every app: App Center requires one, Mayday has none.
  private static let owner = "mayday"
  /// Characters in the displayed name of an app.
  private static let longestDisplayName = 128

  /// `GET /v0.1/user`, with which the command line client tests a token.
  package func user(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, oneOf: Self.userScopes).get()
    return .document { writer in
      writer.beginObject()
      writer.member("id", AppCenterCall.uuid(caller.id))
      writer.member("display_name", caller.label)
      writer.member("name", caller.label)
      writer.member("email", "")
      writer.member("avatar_url", "")
      writer.member("can_change_password", false)
      writer.member("permissions", [String]())
      writer.member("origin", "appcenter")
      writer.endObject()
    }
  }

  package func list(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, .read).get()
    let apps = try context.store.apps.list().filter { caller.app == nil || caller.app == $0.name }
    let permissions = try permissions(of: request.head)
    return try .list(apps) { try write($1, owner: Self.owner, permissions, to: &$0) }
  }

  /// `POST /v0.1/apps`, `POST /v0.1/orgs/:owner/apps`: creates an app with its own secret.
  package func make(_ request: Request) throws -> Response {
    let family = AppCenterFamily.errors
    let caller = try context.access.caller(of: request.head, .admin).get()
    try request.requireJSON()
    guard let input = try? JSONDocument.parse(request.bytes).value,
      let name = input["name"]?.string ?? input["display_name"]?.string
    else { return family.refusal(.badRequest, "name is missing") }
    let shownName = input["display_name"]?.string ?? name
    guard shownName == name || Self.isDisplayName(shownName) else {
      return family.refusal(
        .badRequest,
        "display_name: 1 to \(Self.longestDisplayName) characters are expected, none of them a control"
      )
    }
    let store = context.store
    guard try !store.apps.list().contains(where: { $0.name == name }) else {
      return family.refusal(.conflict, "an app named \(name) already exists")
    }
    do {
      var random = SystemRandomNumberGenerator()
      let number = (random.next(), random.next())
      try store.apps.add(name, secret: AppCenterCall.uuid("\(number)"))
      if shownName != name {
        try store.distribution.set(
          AppUpdates.displayNameSetting, to: shownName, of: name, by: caller.label)
      }
    } catch StoreError.alike(_, let other) {
      return family.refusal(
        .conflict, "an app named \(other) already exists, which differs only in letter case")
    } catch StoreError.invalidAppName(let name) {
      return family.refusal(.badRequest, "\(name) is not a valid app name")
    }
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: "add app", subject: name,
        peer: request.peer))
    guard let app = try store.apps.list().first(where: { $0.name == name }) else {
      return family.refusal(.notFound, name)
    }
    let owner = request.parameters["owner"] ?? Self.owner
    let permissions = try permissions(of: request.head)
    return try .document(status: .created) { try write(app, owner: owner, permissions, to: &$0) }
  }

  private static func isDisplayName(_ text: String) -> Bool {
    !text.allSatisfy(\.isWhitespace) && text.count <= longestDisplayName
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  package func show(_ call: AppCenterCall) throws -> Response {
    guard let app = try call.store.apps.list().first(where: { $0.name == call.app }) else {
      throw StoreError.notFound(call.app)
    }
    let owner = call.request.parameters["owner"] ?? ""
    let permissions = try permissions(of: call.request.head)
    return try .document { try write(app, owner: owner, permissions, to: &$0) }
  }

  /// The token's permissions, in App Center's terms.
  private func permissions(of head: RequestHead) throws -> [String] {
    for (scope, word) in [(TokenScope.admin, "manager"), (.triage, "developer")] {
      if case .success = try context.access.caller(of: head, scope) { return [word] }
    }
    return ["viewer"]
  }

  private func write(
    _ app: AppRecord, owner: String, _ permissions: [String], to writer: inout JSONWriter
  ) throws {
    let system = try system(of: app)
    let releases = try context.store.releases.list(of: app.name)
    let made = releases.map(\.added).min()
    writer.beginObject()
    writer.member("id", AppCenterCall.uuid(try context.store.apps.keyName(of: app.name)))
    writer.member("app_secret", app.secrets.first ?? "")
    writer.member("name", app.name)
    let settings = try context.store.distribution.settings(of: app.name)
    writer.member("display_name", settings[AppUpdates.displayNameSetting] ?? app.name)
    writer.member("description", "")
    writer.member("os", system.name)
    writer.member("platform", system.platform)
    writer.member("release_type", "")
    writer.key("icon_url")
    writer.null()
    writer.key("owner")
    writer.beginObject()
    writer.member("id", AppCenterCall.uuid(owner))
    writer.member("avatar_url", "")
    writer.member("display_name", owner)
    writer.member("email", "")
    writer.member("name", owner)
    writer.member("type", "org")
    writer.endObject()
    writer.member("origin", "appcenter")
    writer.member("member_permissions", permissions)
    writer.member("created_at", made?.description)
    // Devices report when they crashed, which may be long before they send the report.
    let times = [made] + releases.map(\.lastSeen)
    writer.member("updated_at", times.compactMap(\.self).max()?.description)
    writer.endObject()
  }

  /// The system that most reports come from.
  private func system(of app: AppRecord) throws -> (name: String, platform: String) {
    guard let field = QueryField(named: "os") else { return ("Custom", "Unknown") }
    let query = try Query("app:" + app.name.inQuery, now: .now)
    let name =
      try context.store.search.counts(of: query, by: field, limit: 1).counts.first?.value ?? ""
    switch name {
    case "iOS", "macOS", "tvOS": return (name, "Objective-C-Swift")
    case "Android": return (name, "Java")
    case "Windows", "Linux", "Tizen": return (name, "Unknown")
    case "iPadOS": return ("iOS", "Objective-C-Swift")
    default: return ("Custom", "Unknown")
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
