import CrashModel
import CrashStore
import HTTP
import JSON
import ServerStore

/// What App Center's clients ask about symbols that are missing, and about who they are.
struct AppCenterSymbolsEndpoint {
  let service: Service

  /// `GET /v0.1/user`, by which the command line client tries a token.
  func user(_ request: Request) throws -> Response {
    let caller = try service.access.caller(of: request.head, .symbols).get()
    return .document { writer in
      writer.beginObject()
      writer.member("id", caller.id)
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

  /// `GET …/diagnostics/symbol_groups_info`
  func count(_ request: Request) throws -> Response {
    let total = try missing(request).reduce(0) { $0 + $1.reports }
    return .document { writer in
      writer.beginObject()
      writer.member("total_crash_count", total)
      writer.endObject()
    }
  }

  /// `GET …/diagnostics/symbol_groups?top=n`: a group for each build of the app that lacks some.
  func groups(_ request: Request) throws -> Response {
    let top = request.query["top"].flatMap { Int($0) } ?? 100
    let missing = try missing(request)
    return .document { writer in
      writer.beginObject()
      writer.member("total_crash_count", missing.reduce(0) { $0 + $1.reports })
      writer.key("groups")
      writer.beginArray()
      for (release, images) in Self.byBuild(missing, of: app(request)).prefix(max(top, 0)) {
        write(images, of: release, request, to: &writer)
      }
      writer.endArray()
      writer.endObject()
    }
  }

  /// `GET …/diagnostics/symbol_groups/:id`
  func group(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    let all = Self.byBuild(try missing(request), of: app(request))
    guard let found = all.first(where: { Self.id(of: $0.release) == id }) else {
      return .document(status: .notFound) { writer in
        writer.beginObject()
        writer.member("code", "NotFound")
        writer.member("message", "no symbol group has the id \(id)")
        writer.endObject()
      }
    }
    return .document { write(found.images, of: found.release, request, to: &$0) }
  }

  private func write(
    _ images: [MissingImage], of release: Release, _ request: Request,
    to writer: inout JSONWriter
  ) {
    let reports = images.map(\.reports).max() ?? 0
    writer.beginObject()
    writer.member("symbol_group_id", Self.id(of: release))
    writer.member("crash_count", reports)
    writer.member("error_count", 0)
    writer.member("app_id", app(request))
    writer.member("app_ver", release.version)
    writer.member("app_build", release.build)
    writer.member("last_modified", Timestamp.now.description)
    writer.key("missing_symbols")
    writer.beginArray()
    for image in images {
      // The command line client fails for ids of another form.
      guard let symbol = image.debugID.appCenterSymbol else { continue }
      writer.beginObject()
      writer.member("symbol_id", symbol)
      writer.member("name", image.name)
      writer.member("platform", image.architecture?.description ?? "")
      writer.member("status", "missing")
      writer.endObject()
    }
    writer.endArray()
    writer.member("status", "active")
    writer.endObject()
  }

  /// By release, the newest first; an image that none is known of is left out.
  private static func byBuild(
    _ images: [MissingImage], of app: String
  ) -> [(release: Release, images: [MissingImage])] {
    var groups: [(release: Release, images: [MissingImage])] = []
    for image in images {
      for build in image.builds where build.app == app {
        let index = groups.firstIndex { $0.release == build.release } ?? groups.endIndex
        if index == groups.endIndex { groups.append((build.release, [])) }
        groups[index].images.append(image)
      }
    }
    return groups
  }

  private static func id(of release: Release) -> String {
    release.name.map { $0.isLetter || $0.isNumber || $0 == "." ? String($0) : "-" }.joined()
  }

  private func missing(_ request: Request) throws -> [MissingImage] {
    try service.store.missingImages(app: app(request)).images
  }

  private func app(_ request: Request) -> String { request.parameters["app"] ?? "" }
}

extension DebugID {
  /// As App Center writes the UUIDs of Mach-O files; `nil` for an id with an age.
  var appCenterSymbol: String? {
    let text = description.filter { $0 != "-" }
    return text.count == 32 ? text.lowercased() : nil
  }
}
