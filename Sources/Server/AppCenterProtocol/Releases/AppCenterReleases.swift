internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import JSON
internal import ServerCore
internal import Updates

/// The releases of one call's app, in the format of App Center's REST API.
struct AppCenterReleases {
  let distribution: CrashStore.Distribution
  /// All releases, including disabled ones, newest first.
  let artefacts: [Artefact]
  /// Distribution groups by id.
  let groups: [String: DistributionGroup]
  /// Testers by id.
  let testers: [String: Tester]
  private let app: String
  private let context: ServerContext

  init(_ call: AppCenterCall) throws {
    context = call.context
    app = call.app
    distribution = call.store.distribution
    artefacts = try distribution.artefacts(of: call.app)
    groups = Dictionary(try distribution.groups(of: call.app).map { ($0.id, $0) }) { first, _ in
      first
    }
    testers = Dictionary(try distribution.testers(of: call.app).map { ($0.id, $0) }) { first, _ in
      first
    }
  }

  /// Returns the release that a path names, by its number or as `latest`.
  ///
  /// - Throws: `HTTPError` for anything that isn't a number; `StoreError`.
  func artefact(_ name: String?) throws -> Artefact {
    let name = name ?? ""
    if name == "latest" {
      guard let newest = artefacts.first else { throw StoreError.notFound("latest") }
      return newest
    }
    guard let number = Int(name) else {
      throw HTTPError.refused(.badRequest, "a release is given by its number, or latest")
    }
    guard let artefact = artefacts.first(where: { $0.number == number }) else {
      throw StoreError.notFound(name)
    }
    return artefact
  }

  func newest(ofGroup id: String) -> Artefact? {
    artefacts.first { artefact in
      artefact.isEnabled
        && artefact.destinations.contains { $0.kind == .group && $0.id == id }
    }
  }

  /// Returns the group or tester with this name or id.
  ///
  /// - Throws: `StoreError` where there is neither.
  func destination(_ name: String, isMandatory: Bool) throws -> Artefact.Destination {
    if let group = groups[name] ?? groups.values.first(where: { $0.name == name }) {
      return Artefact.Destination(.group, id: group.id, isMandatory: isMandatory)
    }
    let email = name.lowercased()
    if let tester = testers[name] ?? testers.values.first(where: { $0.email == email }) {
      return Artefact.Destination(.tester, id: tester.id, isMandatory: isMandatory)
    }
    throw StoreError.notFound(name)
  }

  /// Applies the changes in a body: `release_notes`, `enabled`, `build`, signatures.
  func edit(
    _ artefact: Artefact, by input: JSONValue, _ call: AppCenterCall
  ) throws -> Artefact {
    var edit = CrashStore.Distribution.Edit()
    edit.notes = input["release_notes"]?.string
    edit.isEnabled = input["enabled"]?.bool
    if let build = input["build"], build.object != nil {
      edit.source = Artefact.Source(
        branch: build["branch_name"]?.string ?? build["branch"]?.string,
        commit: build["commit_hash"]?.string, message: build["commit_message"]?.string)
    }
    edit.edSignature = input["metadata"]?["ed_signature"]?.string
    edit.dsaSignature = input["metadata"]?["dsa_signature"]?.string
    guard edit != CrashStore.Distribution.Edit() else { return artefact }
    let changed = try distribution.edit(
      artefact.number, of: app, edit, by: call.caller.label)
    try finish("edit release file", artefact, call)
    return changed
  }

  /// Adds a line to the audit log, and makes the change visible to clients at once.
  func finish(_ action: String, _ artefact: Artefact, _ call: AppCenterCall) throws {
    try call.note(action, "\(app) #\(artefact.number)")
    try context.updates.refresh()
  }

  /// Returns why a file reaches fewer clients than expected, or none, in words.
  func warnings(of number: Int) throws -> [String] {
    let updates = try distribution.updates(of: app)
    guard let artefact = updates.artefacts.first(where: { $0.number == number }) else { return [] }
    return updates.warnings(of: artefact, systems: try distribution.systems(of: app)).map(\.text)
  }

  // MARK: Documents

  /// Writes the members that lists have.
  func writeBasic(_ artefact: Artefact, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", artefact.number)
    writer.member("version", artefact.release.build)
    writer.member("short_version", artefact.release.version)
    writer.member("origin", "appcenter")
    writer.member("enabled", artefact.isEnabled)
    writer.member("uploaded_at", artefact.uploaded.inMilliseconds)
    writer.member("is_external_build", false)
    if let first = artefact.destinations.first {
      writer.member("destination_type", first.kind.rawValue)
    }
    writer.key("distribution_groups")
    writer.beginArray()
    for destination in artefact.destinations where destination.kind == .group {
      writer.beginObject()
      writeNames(destination, of: artefact, to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.member("distribution_stores", [String]())
    writeDestinations(artefact, to: &writer)
    let source = artefact.source
    if source != Artefact.Source() {
      writer.key("build")
      writer.beginObject()
      writer.member("branch_name", source.branch ?? "")
      writer.member("commit_hash", source.commit ?? "")
      writer.member("commit_message", source.message ?? "")
      writer.endObject()
    }
    writer.endObject()
  }

  /// Writes all members, including those for SDKs.
  func writeFull(_ artefact: Artefact, _ call: AppCenterCall, to writer: inout JSONWriter) {
    let updates = AppUpdates(
      app: app, artefacts: artefacts, groups: Array(groups.values),
      testers: Array(testers.values), salt: app)
    let details = ReleaseDetails(
      artefact, destination: artefact.destinations.first, of: updates,
      for: .holder(token: call.caller.id),
      isLatest: artefacts.first?.number == artefact.number)
    writer.beginObject()
    details.write(
      to: &writer, links: context.downloads, origin: call.origin, now: .now)
    writeDestinations(artefact, to: &writer)
    writeInstallPage(artefact, call, to: &writer)
    writer.endObject()
  }

  /// Writes the address from which users install a release of a public group; nothing for another one,
  /// or for an app bundle, from which only stores install.
  func writeInstallPage(_ artefact: Artefact, _ call: AppCenterCall, to writer: inout JSONWriter) {
    let isPublic = artefact.destinations.contains { groups[$0.id]?.isPublic == true }
    guard isPublic, artefact.package.kind != .aab else { return }
    writer.member("install_page_url", call.origin + InstallPage.path(ofApp: app))
  }

  func writeDestinations(_ artefact: Artefact, to writer: inout JSONWriter) {
    writer.key("destinations")
    writer.beginArray()
    for destination in artefact.destinations {
      writer.beginObject()
      writeNames(destination, of: artefact, to: &writer)
      writer.member("destination_type", destination.kind.rawValue)
      writer.member("mandatory_update", destination.isMandatory)
      writer.endObject()
    }
    writer.endArray()
  }

  private func writeNames(
    _ destination: Artefact.Destination, of artefact: Artefact, to writer: inout JSONWriter
  ) {
    let name = groups[destination.id]?.name ?? testers[destination.id]?.email ?? ""
    writer.member("id", destination.id)
    writer.member("name", name)
    writer.member("display_name", name)
    if destination.kind == .group {
      let isNewest = newest(ofGroup: destination.id)?.number == artefact.number
      writer.member("is_latest", isNewest)
    }
  }
}

extension AppCenterCall {
  /// Returns the body as a JSON object; an empty body is `{}`.
  ///
  /// - Throws: `HTTPError` for any other body.
  func object() throws -> JSONValue {
    if request.bytes.isEmpty { return .object([]) }
    guard let input = try input() else {
      throw HTTPError.refused(.badRequest, "the body is not a JSON object")
    }
    return input
  }

  /// `https://crashes.example.com`
  var origin: String {
    let address = address([])
    return address.hasSuffix("/") ? String(address.dropLast()) : address
  }
}
