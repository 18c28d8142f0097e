internal import CrashService
internal import HTTP
internal import ServerStore

/// What those who run a server do to it.
extension APIOperation {
  package static let upkeep: [APIOperation] = [
    APIOperation(
      method: "POST", pattern: "/api/v1/erase", name: "erase",
      summary: "Erase everything of a user or of an installation.", tag: "upkeep",
      scope: .admin,
      input: .json([
        .maybe("user", .text(atLeast: 1)), .maybe("install", .text(atLeast: 1)),
        .maybe("dry_run", .flag, "Whether to count only."),
      ]),
      responses: [
        .json(
          .ok, "What was deleted, or would be.",
          .object(
            [.always("dry_run", .flag)]
              + [
                "reports", "submissions", "bytes", "attachments", "sessions", "events",
                "client_reports", "waiting_attachments", "queued", "pending", "groups",
              ].map { APIMember.always($0, .count) }))
      ]),
    APIOperation(
      method: "DELETE", pattern: "/api/v1/doctor", name: "clearTrial",
      summary: "Remove the test data of `mayday doctor`.", tag: "upkeep",
      scope: .admin, responses: [.empty(.noContent, "It is gone.")]),
    APIOperation(
      method: "GET", pattern: "/api/v1/intake", name: "listQuarantined",
      summary: "Quarantined submissions, oldest first.", tag: "upkeep",
      scope: .admin,
      query: [
        Parameter(
          name: "after", schema: .integer(0...Int.max),
          meaning: "Continue after this number.", isRequired: false)
      ],
      responses: [.json(.ok, "The list.", .list(.named("Quarantined")))]),
    APIOperation(
      method: "GET", pattern: "/api/v1/intake/:id/raw", name: "getQuarantined",
      summary: "The original bytes of one.", tag: "upkeep", scope: .admin,
      responses: [.bytes(.ok, "The bytes.")]),
    APIOperation(
      method: "POST", pattern: "/api/v1/intake/retry", name: "retryAll",
      summary: "Retry all.", tag: "upkeep", scope: .admin,
      responses: [.json(.ok, "How many.", retried)]),
    APIOperation(
      method: "POST", pattern: "/api/v1/intake/:id/retry", name: "retryQuarantined",
      summary: "Retry one.", tag: "upkeep", scope: .admin,
      responses: [.json(.ok, "How many.", retried)]),
    APIOperation(
      method: "DELETE", pattern: "/api/v1/intake/:id", name: "discardQuarantined",
      summary: "Discard one.", tag: "upkeep", scope: .admin,
      responses: [.empty(.noContent, "It is gone.")]),
  ]

  private static let retried = APISchema.object([.always("retried", .count)])
}
