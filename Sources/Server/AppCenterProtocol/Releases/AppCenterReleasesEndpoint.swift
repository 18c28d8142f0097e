internal import CrashService
internal import CrashStore
package import HTTP
internal import JSON
internal import ServerCore
internal import ServerStore
package import Updates

/// `…/releases`: the releases and their destinations.
package struct AppCenterReleasesEndpoint {
  /// No client requests the address of a profile's state, which the schema has as a member.
  package init() {}

  // MARK: Questions

  /// `GET …/releases?published_only=&scope=tester`
  package func list(_ call: AppCenterCall) throws -> Response {
    let onlyPublished = call["published_only"] == "true" || call["scope"] == "tester"
    let catalog = try AppCenterReleases(call)
    let shown = catalog.artefacts.filter { !onlyPublished || !$0.destinations.isEmpty }
    return .list(shown) { catalog.writeBasic($1, to: &$0) }
  }

  /// `GET …/recent_releases`: the newest release of each group.
  package func recent(_ call: AppCenterCall) throws -> Response {
    let catalog = try AppCenterReleases(call)
    let newest = Set(
      catalog.groups.values.compactMap { catalog.newest(ofGroup: $0.id)?.number })
    return .list(catalog.artefacts.filter { newest.contains($0.number) }) {
      catalog.writeBasic($1, to: &$0)
    }
  }

  /// `GET …/releases/:release`, a number or `latest`.
  package func show(_ call: AppCenterCall) throws -> Response {
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    return .document { catalog.writeFull(artefact, call, to: &$0) }
  }

  /// `GET …/releases/:release/provisioning_profile`
  package func profile(_ call: AppCenterCall) throws -> Response {
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    guard let profile = artefact.package.provisioning else {
      throw HTTPError.refused(.badRequest, "#\(artefact.number) has no provisioning profile")
    }
    return .document { writer in
      writer.beginObject()
      writer.member("provisioning_profile_type", profile.kind.rawValue)
      writer.member("provisioning_profile_name", profile.name)
      writer.member("udids", [String]())
      writer.endObject()
    }
  }

  // MARK: Changes

  /// `PUT …/releases/:release`: `{enabled, release_notes, build}`.
  package func change(_ call: AppCenterCall) throws -> Response {
    let input = try call.object()
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    let changed = try catalog.edit(artefact, by: input, call)
    return .document { writer in
      writer.beginObject()
      writer.member("enabled", changed.isEnabled)
      writer.member("mandatory_update", changed.destinations.contains(where: \.isMandatory))
      writer.member("release_notes", changed.notes)
      writer.member("provisioning_status_url", "")
      catalog.writeDestinations(changed, to: &writer)
      writer.endObject()
    }
  }

  /// `PATCH …/releases/:release`: publishes it to groups and testers by name or id.
  ///
  /// All of the destinations are looked up before anything changes.
  package func publish(_ call: AppCenterCall) throws -> Response {
    let input = try call.object()
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    let isMandatory = input["mandatory_update"]?.bool ?? false
    var names: [String] = []
    for destination in input["destinations"]?.array ?? [] {
      guard let name = destination["id"]?.string ?? destination["name"]?.string else {
        throw HTTPError.refused(.badRequest, "a destination needs a name or an id")
      }
      names.append(name)
    }
    // The names used by earlier clients.
    for key in [
      "destination_name", "destination_id", "distribution_group_name", "distribution_group_id",
    ] {
      if let name = input[key]?.string { names.append(name) }
    }
    let destinations = try names.map { try catalog.destination($0, isMandatory: isMandatory) }
    let changed = try catalog.edit(artefact, by: input, call)
    if !destinations.isEmpty {
      try catalog.distribution.publish(
        changed.number, of: call.app, to: destinations, by: call.caller.label,
        notifies: notifies(input, call))
      try catalog.finish("publish release", artefact, call)
    }
    let published = try AppCenterReleases(call)
    let artefactNow = try published.artefact(String(changed.number))
    let warnings = try catalog.warnings(of: changed.number)
    return .document { writer in
      writer.beginObject()
      writer.member("release_notes", changed.notes)
      writer.member("mandatory_update", isMandatory)
      published.writeInstallPage(artefactNow, call, to: &writer)
      if !warnings.isEmpty { writer.member("warnings", warnings) }
      writer.endObject()
    }
  }

  package func remove(_ call: AppCenterCall) throws -> Response {
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    try catalog.distribution.remove(artefact.number, of: call.app, by: call.caller.label)
    try catalog.finish("remove release file", artefact, call)
    return .empty(.ok)
  }

  // MARK: Destinations

  /// `POST …/releases/:release/groups`: `{id, mandatory_update, notify_testers}`.
  package func addGroup(_ call: AppCenterCall) throws -> Response {
    let input = try call.object()
    guard let id = input["id"]?.string else {
      throw HTTPError.refused(.badRequest, "the group's id is missing")
    }
    return try add(.group, id, input, call)
  }

  /// `POST …/releases/:release/testers`: `{email, mandatory_update, notify_testers}`.
  package func addTester(_ call: AppCenterCall) throws -> Response {
    let input = try call.object()
    guard let email = input["email"]?.string else {
      throw HTTPError.refused(.badRequest, "the tester's email is missing")
    }
    return try add(.tester, email, input, call)
  }

  /// `PUT …/releases/:release/groups/:id`, `…/testers/:id`: `{mandatory_update}`.
  package func changeDestination(
    _ kind: Artefact.Destination.Kind
  ) -> @Sendable (AppCenterCall) throws -> Response {
    { call in
      let isMandatory = try call.object()["mandatory_update"]?.bool ?? false
      let catalog = try AppCenterReleases(call)
      let artefact = try catalog.artefact(call.request.parameters["release"])
      let id = call.request.parameters["id"] ?? ""
      guard artefact.destinations.contains(where: { $0.kind == kind && $0.id == id }) else {
        throw StoreError.notFound(id)
      }
      try catalog.distribution.publish(
        artefact.number, of: call.app,
        to: [Artefact.Destination(kind, id: id, isMandatory: isMandatory)],
        by: call.caller.label)
      try catalog.finish("publish release", artefact, call)
      return .document { writer in
        writer.beginObject()
        writer.member("mandatory_update", isMandatory)
        writer.endObject()
      }
    }
  }

  /// `DELETE …/releases/:release/groups/:id`, `…/testers/:id`.
  package func removeDestination(
    _ kind: Artefact.Destination.Kind
  ) -> @Sendable (AppCenterCall) throws -> Response {
    { call in
      let catalog = try AppCenterReleases(call)
      let artefact = try catalog.artefact(call.request.parameters["release"])
      let id = call.request.parameters["id"] ?? ""
      guard artefact.destinations.contains(where: { $0.kind == kind && $0.id == id }) else {
        throw StoreError.notFound(id)
      }
      try catalog.distribution.withdraw(
        artefact.number, of: call.app, from: kind, id: id, by: call.caller.label)
      try catalog.finish("withdraw release", artefact, call)
      return .empty(.ok)
    }
  }

  /// Whether testers get a mail: as the client wants it, where a mail server is set up.
  private func notifies(_ input: JSONValue, _ call: AppCenterCall) throws -> Bool {
    try input["notify_testers"]?.bool == true && call.context.alerts.testerMailing() != nil
  }

  private func add(
    _ kind: Artefact.Destination.Kind, _ name: String, _ input: JSONValue, _ call: AppCenterCall
  ) throws -> Response {
    let isMandatory = input["mandatory_update"]?.bool ?? false
    let catalog = try AppCenterReleases(call)
    let artefact = try catalog.artefact(call.request.parameters["release"])
    let id =
      switch kind {
      case .group: try catalog.distribution.group(name, of: call.app).id
      case .tester: try catalog.distribution.tester(name, of: call.app).id
      }
    try catalog.distribution.publish(
      artefact.number, of: call.app,
      to: [Artefact.Destination(kind, id: id, isMandatory: isMandatory)], by: call.caller.label,
      notifies: notifies(input, call))
    try catalog.finish("publish release", artefact, call)
    let warnings = try catalog.warnings(of: artefact.number)
    return .document(status: .created) { writer in
      writer.beginObject()
      writer.member("id", id)
      writer.member("mandatory_update", isMandatory)
      writer.member("provisioning_status_url", "")
      if !warnings.isEmpty { writer.member("warnings", warnings) }
      writer.endObject()
    }
  }
}
