internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for the server's own state.
enum SelfRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .getDescription, "This document.", tag: "server", access: .anyone,
      returns: .json(.ok, "OpenAPI 3.1.", .object([.always("openapi", .text())]))
    ) { _, _ in .json(APIDocument.bytes) },
    APIRoute(
      .getHealth, "Whether the server runs.", tag: "server", access: .anyone,
      returns: .text(.ok, "It does."), isQuick: true
    ) { _, _ in .text("ok\n") },
    APIRoute(
      .getReadiness, "Whether a report would be accepted.", tag: "server",
      access: .anyone, returns: .text(.ok, "It would.")
    ) { _, context in HealthEndpoint(context: context).ready() },
    APIRoute(
      .getMetrics, "For Prometheus.", tag: "server", access: .figures,
      returns: .text(.ok, "The Prometheus text format.")
    ) { request, context in
      // Proxies block this path in this spelling: no other spelling may lead to the figures.
      guard request.head.path == "/metrics" else {
        throw HTTPError.refused(.notFound, "The path of the metrics is /metrics.")
      }
      return try HealthEndpoint(context: context).metrics()
    },
    APIRoute(
      .sendMessage, "Send a message of the Model Context Protocol.", tag: "server", access: .tools,
      input: APIRoute.Input(
        contents: [("application/json", ModelContextEndpoint.message)], isRequired: true,
        body: .memory(limit: APILimits.document)),
      returns: .json(.ok, "The response to a request.", ModelContextEndpoint.response),
      .empty(.accepted, "It was a notification.")
    ) { try ModelContextEndpoint(context: $1).answer($0) },
  ]
}
