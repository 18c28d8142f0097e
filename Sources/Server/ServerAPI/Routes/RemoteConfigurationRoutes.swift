internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore
internal import Updates

/// Routes for the configurations that apps with the RemoteConfiguration library poll.
enum RemoteConfigurationRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/remote-config/:app", "getRemoteConfiguration",
      "The current remote configuration of an app.", tag: "apps", access: .read,
      returns: configuration
    ) { try RemoteConfigurationEndpoint(context: $1).show($0) },
    APIRoute(
      "GET", "/api/v1/remote-config/:app/history", "listRemoteConfigurations",
      "All remote configurations of an app, newest first.", tag: "apps", access: .read,
      query: .pages, returns: .page("RemoteConfiguration")
    ) { try RemoteConfigurationEndpoint(context: $1).history($0) },
    APIRoute(
      "GET", "/api/v1/remote-config/:app/history/:number", "getFormerRemoteConfiguration",
      "A remote configuration by its number.", tag: "apps", access: .read,
      returns: configuration
    ) { try RemoteConfigurationEndpoint(context: $1).show($0) },
    change(
      "PUT", "", "publishRemoteConfiguration", "Publish a document that clients can decode.",
      [.always("document", .text(atLeast: 1), "The document, served unchanged."), follows, note]
    ) { try RemoteConfigurationEndpoint(context: $1).publish($0) },
    change(
      "POST", "/edit", "editRemoteConfiguration",
      "Publish the document with another update; the rest stays.",
      RemoteConfigurationEdit.members + [follows, note]
    ) { try RemoteConfigurationEndpoint(context: $1).edit($0) },
    change(
      "POST", "/rollback", "rollBackRemoteConfiguration", "Publish an earlier document again.",
      [.maybe("number", .integer(1...Int.max), "Default: the previous document."), note]
    ) { try RemoteConfigurationEndpoint(context: $1).rollBack($0) },
  ]

  private static let configuration = APIRoute.Answer.json(
    .ok, "The configuration.", .named("RemoteConfiguration"))
  private static let follows = APIMember.maybe(
    "follow_releases", .flag, "Whether the newest public release is offered.")
  private static let note = APIMember.maybe("note", .text(), "A note for the history.")

  private static func change(
    _ method: String, _ path: String, _ name: String, _ summary: String, _ members: [APIMember],
    handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      method, "/api/v1/remote-config/:app" + path, name, summary, tag: "apps", access: .triage,
      input: .json(members), returns: configuration, refusals: [.conflict],
      changes: { try RemoteConfigurationEndpoint(context: $1).show($0) }, handler: handler)
  }
}
