import CrashModel
import CrashStore
import HTTP
import ServerStore

/// Releases of apps, and their order.
struct ReleasesEndpoint {
  let context: ServerContext

  /// The most releases of one request.
  static let most = 1_000

  func list(_ request: Request) throws -> Response {
    try .refusing {
      .list(try context.service(for: request.head).releases(of: request.query["app"])) {
        $0.write($1)
      }
    }
  }

  /// `POST /api/v1/releases`
  func add(_ request: Request) throws -> Response {
    try change(request, "add releases") {
      try context.service(for: request.head).addReleases($0, to: $1)
    }
  }

  /// `POST /api/v1/releases/remove`
  func remove(_ request: Request) throws -> Response {
    try change(request, "remove releases") {
      try context.service(for: request.head).removeReleases($0, of: $1)
    }
  }

  /// `PUT /api/v1/releases/order`; an empty list is the order by number.
  func order(_ request: Request) throws -> Response {
    try change(request, "order releases", canBeEmpty: true) {
      try context.service(for: request.head).orderReleases($0, of: $1)
    }
  }

  private func change(
    _ request: Request, _ action: String, canBeEmpty: Bool = false,
    _ body: ([Release], String) throws -> [ReleaseRecord]
  ) throws -> Response {
    let input = try InputDocument(request, names: ["app", "releases"])
    guard let app = try input.text("app"), let names = try input.texts("releases"),
      canBeEmpty || !names.isEmpty, names.count <= Self.most
    else { throw input.refusal("app, and releases: at most \(Self.most)") }
    let releases = names.map { Release($0) }
    let caller = try context.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let records = try body(releases, app)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: action, subject: app,
          peer: request.peer))
      return .list(records) { $0.write($1) }
    }
  }
}
