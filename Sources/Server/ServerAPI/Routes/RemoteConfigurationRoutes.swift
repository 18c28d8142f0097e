internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for the configurations that apps with the RemoteConfiguration library poll.
enum RemoteConfigurationRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .getRemoteConfiguration, "The current remote configuration of an app.", tag: "apps",
      access: .read, returns: configuration
    ) { try RemoteConfigurationEndpoint(context: $1).show($0) },
    APIRoute(
      .listRemoteConfigurations, "All remote configurations of an app, newest first.", tag: "apps",
      access: .read, returns: .page("RemoteConfiguration")
    ) { try RemoteConfigurationEndpoint(context: $1).history($0) },
    APIRoute(
      .getFormerRemoteConfiguration, "A remote configuration by its number.", tag: "apps",
      access: .read, returns: configuration
    ) { try RemoteConfigurationEndpoint(context: $1).show($0) },
    change(
      .publishRemoteConfiguration, "Publish a document that clients can decode."
    ) { try RemoteConfigurationEndpoint(context: $1).publish($0) },
    change(
      .editRemoteConfiguration, "Publish the document with another update; the rest stays."
    ) { try RemoteConfigurationEndpoint(context: $1).edit($0) },
    change(
      .rollBackRemoteConfiguration, "Publish an earlier document again."
    ) { try RemoteConfigurationEndpoint(context: $1).rollBack($0) },
  ]

  private static let configuration = APIRoute.Answer.json(
    .ok, "The configuration.", .named("RemoteConfiguration"))

  private static func change(
    _ call: APICall, _ summary: String, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      call, summary, tag: "apps", access: .triage, returns: configuration, refusals: [.conflict],
      changes: { try RemoteConfigurationEndpoint(context: $1).show($0) }, handler: handler)
  }
}
