internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import ServerCore
internal import ServerStore
internal import Updates

/// `…/distribution_groups`, `…/testers`: people who get releases.
package struct AppCenterDistributionGroupsEndpoint {
  package init() {}

  // MARK: Groups

  package func list(_ call: AppCenterCall) throws -> Response {
    .list(try call.store.distribution.groups(of: call.app)) { Self.write($1, to: &$0) }
  }

  package func add(_ call: AppCenterCall) throws -> Response {
    guard let name = try call.object()["name"]?.string, !name.isEmpty else {
      throw HTTPError.refused(.badRequest, "name is missing")
    }
    let group = try call.store.distribution.addGroup(
      name, isPublic: false, to: call.app, by: call.caller.label)
    try finish("add distribution group", name, call)
    return .document(status: .created) { Self.write(group, to: &$0) }
  }

  package func show(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    return .document { Self.write(group, to: &$0) }
  }

  /// `GET .../devices/download_devices_list`: the registered devices of a group's members, as fastlane reads
  /// them. Mayday registers none: profiles and the devices in them are made before a file is uploaded.
  package func devices(_ call: AppCenterCall) throws -> Response {
    _ = try group(call)
    return .bytes(ByteView("Device ID\tDevice Name\n".utf8), type: "text/csv; charset=utf-8")
  }

  package func change(_ call: AppCenterCall) throws -> Response {
    let input = try call.object()
    let group = try call.store.distribution.editGroup(
      group(call).name, of: call.app, name: input["name"]?.string,
      isPublic: input["is_public"]?.bool, by: call.caller.label)
    try finish("edit distribution group", group.name, call)
    return .document { Self.write(group, to: &$0) }
  }

  package func remove(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    try call.store.distribution.removeGroup(group.name, of: call.app, by: call.caller.label)
    try finish("remove distribution group", group.name, call)
    return .empty(.noContent)
  }

  // MARK: Members

  /// `GET …/members?exclude_pending_invitations=`
  package func members(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    let onlyAccepted = call["exclude_pending_invitations"] == "true"
    let members = try call.store.distribution.testers(of: call.app).filter {
      $0.groups.contains(group.id) && ($0.hasAccepted || !onlyAccepted)
    }
    return .list(members) { Self.write($1, to: &$0) }
  }

  /// `POST …/members`: invites testers; an error with one address is reported, and the others are invited.
  package func invite(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    let mails = try call.context.alerts.testerMailing() != nil
    let outcomes = try emails(call).map { email -> MemberOutcome in
      do {
        let invited = try call.store.distribution.invite(
          email, to: group.name, of: call.app, by: call.caller.label, mails: mails)
        var outcome = MemberOutcome(email: email, status: .ok, code: "", message: "")
        outcome.isPending = !invited.tester.hasAccepted
        // Without a mail, the inviting user forwards the link.
        outcome.message = call.address(["install", "invitations", invited.invitation])
        return outcome
      } catch let error as DistributionError {
        return MemberOutcome(
          email: email, status: .badRequest, code: "bad_request", message: error.description)
      }
    }
    try finish("invite testers", group.name, call)
    return .list(outcomes) { $1.write(to: &$0) }
  }

  /// `POST …/members/bulk_delete`
  package func removeMembers(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    let outcomes = try emails(call).map { email -> MemberOutcome in
      do {
        try call.store.distribution.removeTester(
          email, from: group.name, of: call.app, by: call.caller.label)
        return MemberOutcome(email: email, status: .ok, code: "", message: "")
      } catch let error as DistributionError {
        return MemberOutcome(
          email: email, status: .notFound, code: "not_found", message: error.description)
      }
    }
    try finish("remove testers", group.name, call)
    return .list(outcomes) { $1.write(to: &$0) }
  }

  /// `POST …/resend_invite`: gives each of the group's testers a new invitation; open ones end.
  package func inviteAgain(_ call: AppCenterCall) throws -> Response {
    let group = try group(call)
    let mails = try call.context.alerts.testerMailing() != nil
    let members = try call.store.distribution.testers(of: call.app)
      .filter { $0.groups.contains(group.id) }
    let testers = try emails(call).map { email in
      guard let tester = members.first(where: { $0.email == email.lowercased() }) else {
        throw DistributionError.noSuchTester("\(email) in \(group.name)", app: call.app)
      }
      return tester
    }
    for tester in testers {
      _ = try call.store.distribution.inviteAgain(
        tester.id, of: call.app, by: call.caller.label, mails: mails)
    }
    try finish("invite testers", group.name, call)
    return .empty(.noContent)
  }

  // MARK: Releases

  package func releases(_ call: AppCenterCall) throws -> Response {
    let (group, catalog) = (try group(call), try AppCenterReleases(call))
    return .list(Self.releases(of: group, in: catalog)) { writer, artefact in
      writer.beginObject()
      writer.member("id", artefact.number)
      writer.member("version", artefact.release.build)
      writer.member("origin", "appcenter")
      writer.member("short_version", artefact.release.version)
      let isMandatory = artefact.destinations.contains { $0.id == group.id && $0.isMandatory }
      writer.member("mandatory_update", isMandatory)
      writer.member("uploaded_at", artefact.uploaded.inMilliseconds)
      writer.member("enabled", artefact.isEnabled)
      writer.member("is_external_build", false)
      writer.endObject()
    }
  }

  /// `GET …/releases/:release`, a number or `latest`.
  package func release(_ call: AppCenterCall) throws -> Response {
    let (group, catalog) = (try group(call), try AppCenterReleases(call))
    let releases = Self.releases(of: group, in: catalog)
    let name = call.request.parameters["release"] ?? ""
    let found =
      name == "latest"
      ? releases.first(where: \.isEnabled) : releases.first { $0.number == Int(name) }
    guard let found else {
      return DistributeRefusal.refusal(
        .notFound, releases.isEmpty ? "no_releases_for_app" : "not_found",
        "\(group.name) has no release \(name)")
    }
    return .document { catalog.writeFull(found, call, to: &$0) }
  }

  package func removeRelease(_ call: AppCenterCall) throws -> Response {
    let (group, catalog) = (try group(call), try AppCenterReleases(call))
    let artefact = try catalog.artefact(call.request.parameters["release"])
    guard artefact.destinations.contains(where: { $0.kind == .group && $0.id == group.id }) else {
      throw StoreError.notFound("\(artefact.number)")
    }
    try catalog.distribution.withdraw(
      artefact.number, of: call.app, from: .group, id: group.id, by: call.caller.label)
    try catalog.finish("withdraw release", artefact, call)
    return .empty(.ok)
  }

  private static func releases(
    of group: DistributionGroup, in catalog: AppCenterReleases
  ) -> [Artefact] {
    catalog.artefacts.filter { artefact in
      artefact.destinations.contains { $0.kind == .group && $0.id == group.id }
    }
  }

  // MARK: Testers

  package func testers(_ call: AppCenterCall) throws -> Response {
    .list(try call.store.distribution.testers(of: call.app)) { Self.write($1, to: &$0) }
  }

  package func removeTester(_ call: AppCenterCall) throws -> Response {
    let tester = try call.store.distribution.tester(
      call.request.parameters["id"] ?? "", of: call.app)
    try call.store.distribution.removeTester(tester.email, of: call.app, by: call.caller.label)
    try finish("remove tester", tester.email, call)
    return .empty(.ok)
  }

  // MARK: Parts

  private func group(_ call: AppCenterCall) throws -> DistributionGroup {
    try call.store.distribution.group(call.request.parameters["group"] ?? "", of: call.app)
  }

  private func emails(_ call: AppCenterCall) throws -> [String] {
    guard let list = try call.object()["user_emails"]?.array else {
      throw HTTPError.refused(.badRequest, "user_emails is missing")
    }
    let emails = list.compactMap(\.string)
    guard emails.count == list.count, emails.count <= Self.mostEmails else {
      throw HTTPError.refused(
        .badRequest, "user_emails must be a list of at most \(Self.mostEmails) addresses")
    }
    return emails
  }

  private static let mostEmails = 1_000

  private func finish(_ action: String, _ subject: String, _ call: AppCenterCall) throws {
    try call.note(action, "\(call.app) \(subject)")
    try call.context.updates.refresh()
  }

  private static func write(_ group: DistributionGroup, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", group.id)
    writer.member("name", group.name)
    writer.member("display_name", group.name)
    writer.member("origin", "appcenter")
    writer.member("is_public", group.isPublic)
    writer.endObject()
  }

  private static func write(_ tester: Tester, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", tester.id)
    writer.member("avatar_url", "")
    writer.member("can_change_password", false)
    writer.member("display_name", tester.email)
    writer.member("email", tester.email)
    writer.member("invite_pending", !tester.hasAccepted)
    writer.member("name", tester.email)
    writer.member("origin", "appcenter")
    writer.member("permissions", [String]())
    writer.endObject()
  }
}

/// The result for one address.
private struct MemberOutcome {
  var email: String
  var status: Status
  var code: String
  var message: String
  var isPending: Bool?

  init(email: String, status: Status, code: String, message: String) {
    self.email = email
    self.status = status
    self.code = code
    self.message = message
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("user_email", email)
    writer.member("status", status.code)
    writer.member("code", code)
    writer.member("message", message)
    if let isPending { writer.member("invite_pending", isPending) }
    writer.endObject()
  }
}
