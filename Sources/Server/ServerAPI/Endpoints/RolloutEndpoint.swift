internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
package import ServerCore
internal import ServerStore

/// `/api/v1/releases/rollout`: the share of installations that a release is offered to.
package struct RolloutEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    try .refusing {
      let release = Release(request.query["version"] ?? "")
      guard !release.isEmpty else {
        throw HTTPError.refused(
          .badRequest, "version must be a version such as 1.5.0", code: .invalidParameter,
          parameter: "version")
      }
      return .list(
        try context.service(for: request.head).rollouts(of: release, app: request.query["app"])
      ) { $0.write($1) }
    }
  }

  package func change(_ request: Request) throws -> Response {
    let input = try RolloutRequest(request)
    guard let change = input.change else { throw RolloutRequest.noChange }
    let caller = try context.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let builds = try context.service(for: request.head).rollOut(
        input.release, app: input.app, change, by: caller.label)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: "roll out",
          subject: input.release.name, peer: request.peer))
      try context.updates.refresh()
      return .list(builds) { $0.write($1) }
    }
  }

  package init(context: ServerContext) { self.context = context }
}
