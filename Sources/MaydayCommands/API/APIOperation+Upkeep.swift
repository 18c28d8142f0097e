import HTTP
import ServerStore

/// What those who run a server do to it.
extension APIOperation {
  static let upkeep: [APIOperation] = [
    APIOperation(
      method: "POST", pattern: "/api/v1/erase", name: "erase",
      summary: "Erase what is known of a user or an installation: one of the two.", tag: "upkeep",
      scope: .admin,
      input: .json([
        .maybe("user", .text(atLeast: 1)), .maybe("install", .text(atLeast: 1)),
        .maybe("dry_run", .flag, "Whether to count only."),
      ]),
      answers: [
        .json(
          .ok, "What went, or would go.",
          .object(
            [.always("dry_run", .flag)]
              + [
                "reports", "submissions", "bytes", "attachments", "sessions", "events",
                "client_reports", "waiting_attachments", "queued", "pending", "groups",
              ].map { APIMember.always($0, .count) }))
      ]),
    APIOperation(
      method: "DELETE", pattern: "/api/v1/doctor", name: "clearTrial",
      summary: "Take away what `mayday doctor` tried the server with.", tag: "upkeep",
      scope: .admin, answers: [.empty(.noContent, "It is gone.")]),
    APIOperation(
      method: "GET", pattern: "/api/v1/intake", name: "listSetAside",
      summary: "Submissions that could not be filed, the oldest first.", tag: "upkeep",
      scope: .admin,
      query: [
        Parameter(
          name: "after", schema: .integer(0...Int.max),
          meaning: "The number behind which to go on.", isRequired: false)
      ],
      answers: [.json(.ok, "The list.", .list(.named("SetAside")))]),
    APIOperation(
      method: "GET", pattern: "/api/v1/intake/:id/raw", name: "getSetAside",
      summary: "The bytes of one as they came.", tag: "upkeep", scope: .admin,
      answers: [.bytes(.ok, "The bytes.")]),
    APIOperation(
      method: "POST", pattern: "/api/v1/intake/retry", name: "retryAll",
      summary: "Try all of them again.", tag: "upkeep", scope: .admin,
      answers: [.json(.ok, "How many.", retried)]),
    APIOperation(
      method: "POST", pattern: "/api/v1/intake/:id/retry", name: "retrySetAside",
      summary: "Try one of them again.", tag: "upkeep", scope: .admin,
      answers: [.json(.ok, "How many.", retried)]),
    APIOperation(
      method: "DELETE", pattern: "/api/v1/intake/:id", name: "discardSetAside",
      summary: "Throw one of them away.", tag: "upkeep", scope: .admin,
      answers: [.empty(.noContent, "It is gone.")]),
  ]

  private static let retried = APISchema.object([.always("retried", .count)])
}
