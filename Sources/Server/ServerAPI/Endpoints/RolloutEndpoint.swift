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
    let input = try InputDocument(request)
    let release = Release(try input.text("version") ?? "")
    guard !release.isEmpty else { throw input.refusal("version must be a version such as 1.5.0") }
    let percent = try input.integer("percent", from: 0)
    let change: RolloutChange
    switch (percent, try input.text("action")) {
    case (let percent?, nil):
      guard percent <= 100 else { throw input.refusal("percent must be 0 to 100") }
      change = .share(percent)
    case (nil, "pause"): change = .pause
    case (nil, "resume"): change = .resume
    case (nil, "check"): change = .look
    default: throw input.refusal("either percent or action (pause, resume or check) is required")
    }
    let app = try input.text("app")
    let caller = try context.access.caller(of: request.head, .triage).get()
    return try .refusing {
      let builds = try context.service(for: request.head).rollOut(
        release, app: app, change, by: caller.label)
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: "roll out",
          subject: release.name, peer: request.peer))
      try context.updates.refresh()
      return .list(builds) { $0.write($1) }
    }
  }

  package init(context: ServerContext) { self.context = context }
}
