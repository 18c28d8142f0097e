internal import CrashStore
package import HTTP
internal import JSON
package import ServerCore
internal import Updates

/// `POST /public/apps/:owner/:app/install_analytics`: installations, as the service's pages reported them.
package struct InstallAnalyticsEndpoint: Sendable {
  private let context: ServerContext

  /// The maximum number of releases counted per request.
  private static let limit = 20

  package init(context: ServerContext) { self.context = context }

  package func add(to router: inout Router, below prefix: String) {
    router.post(
      prefix + "/public/apps/:owner/:app/install_analytics",
      body: .memory(limit: .kibibytes(64))
    ) { try answer($0) }
  }

  private func answer(_ request: Request) throws -> Response {
    let app = request.parameters["app"] ?? ""
    guard context.updates.catalog.apps[app] != nil else {
      return DistributeRefusal.unknownApp.response
    }
    guard let document = try? JSONDocument.parse(request.bytes).value,
      let releases = document["releases"]?.array
    else {
      return DistributeRefusal.refusal(
        .badRequest, "bad_request",
        "The body must be {\"releases\": [{\"release_id\", \"user_id\"}]}.")
    }
    if let wait = context.wait(for: request.head, app: app, isPublic: true) {
      return .problem(
        .tooManyRequests, "too many reports from this address", headers: ["Retry-After": "\(wait)"])
    }
    for release in releases.prefix(Self.limit) {
      guard let number = release["release_id"]?.integer, number > 0,
        let user = release["user_id"]?.string, UUIDText.isUUID(user)
      else { continue }
      let group = release["distribution_group_id"]?.string ?? ""
      try context.store.distribution.countInstall(
        of: number, app: app, install: user.lowercased(),
        group: UUIDText.isUUID(group) ? group.lowercased() : "")
    }
    return .empty()
  }
}
