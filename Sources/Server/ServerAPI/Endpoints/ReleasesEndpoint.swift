internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import Rendering
package import ServerCore
internal import ServerStore

/// Releases of apps, and their order.
package struct ReleasesEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    try .refusing {
      let paging = try ListPaging(request)
      let releases = try context.service(for: request.head).releases(of: request.query["app"])
      return .page(paging.page(of: releases) { "\($0.app)\u{0}\($0.release.name)" }) {
        $0.write($1)
      }
    }
  }

  /// Returns the releases of the app named in a body, as `GET /api/v1/releases?app=NAME` lists them.
  package func list(ofAppIn request: Request) throws -> Response {
    var head = request.head
    head.pattern = "/api/v1/releases"
    head.query = QueryItems([("app", NamedReleases.app(in: request) ?? "")])
    return try list(Request(head))
  }

  /// `GET /api/v1/releases/figures`
  package func figures(_ request: Request) throws -> Response {
    try .refusing {
      let release = Release(request.query["version"] ?? "")
      guard !release.isEmpty else {
        throw HTTPError.refused(
          .badRequest, "version must be a version such as 1.5.0", code: .invalidParameter,
          parameter: "version")
      }
      let figures = try context.service(for: request.head).figures(
        of: release, app: request.query["app"], days: request.query["days"].flatMap { Int($0) })
      return .document { $0.write(figures) }
    }
  }

  /// `POST /api/v1/releases`
  package func add(_ request: Request) throws -> Response {
    try change(request, "add releases", NamedReleases.declaration) {
      try context.service(for: request.head).addReleases($0, to: $1)
    }
  }

  /// `POST /api/v1/releases/remove`
  package func remove(_ request: Request) throws -> Response {
    try change(request, "remove releases", NamedReleases.declaration) {
      try context.service(for: request.head).removeReleases($0, of: $1)
    }
  }

  /// `PUT /api/v1/releases/order`; an empty list restores the order by number.
  package func order(_ request: Request) throws -> Response {
    try change(request, "order releases", NamedReleases.order) {
      try context.service(for: request.head).orderReleases($0, of: $1)
    }
  }

  private func change(
    _ request: Request, _ action: String, _ type: DocumentType<NamedReleases>,
    _ body: ([Release], String) throws -> [ReleaseRecord]
  ) throws -> Response {
    let input = try InputDocument.read(request, as: type)
    let caller = try context.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let records = try body(input.releases, input.app)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action,
          subject: input.app, peer: request.peer))
      return .list(records) { $0.write($1) }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
