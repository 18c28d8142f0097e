internal import Documents
internal import APIDocuments
internal import HTTP

/// What those who run a server do to it.
enum UpkeepRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "POST", "/api/v1/erase", "erase", "Erase everything of a user or of an installation.",
      tag: "upkeep", access: .admin,
      input: .json([
        .maybe("user", .text(atLeast: 1)), .maybe("install", .text(atLeast: 1)),
        .maybe("dry_run", .flag, "Whether to count only."),
      ]),
      returns: .json(
        .ok, "What was deleted, or would be.",
        .named("ErasureCounts"))
    ) { try EraseEndpoint(context: $1).erase($0) },
    APIRoute(
      "DELETE", "/api/v1/doctor", "clearTrial", "Remove the test data of `mayday doctor`.",
      tag: "upkeep", access: .admin, returns: .empty(.noContent, "It is gone.")
    ) { try DoctorEndpoint(context: $1).clear($0) },
    APIRoute(
      "GET", "/api/v1/intake", "listQuarantined", "Quarantined submissions, oldest first.",
      tag: "upkeep", access: .admin,
      query: .pages, returns: .page("Quarantined")
    ) { try QuarantineEndpoint(context: $1).list($0) },
    APIRoute(
      "GET", "/api/v1/intake/:id", "showQuarantined", "A quarantined submission.",
      tag: "upkeep", access: .admin,
      returns: .json(.ok, "The submission.", .named("Quarantined"))
    ) { try QuarantineEndpoint(context: $1).show($0) },
    APIRoute(
      "GET", "/api/v1/intake/:id/raw", "getQuarantined", "The original bytes of one.",
      tag: "upkeep", access: .admin, returns: .bytes(.ok, "The bytes.")
    ) { try QuarantineEndpoint(context: $1).raw($0) },
    APIRoute(
      "POST", "/api/v1/intake/retry", "retryAll", "Retry all.", tag: "upkeep", access: .admin,
      returns: .json(.ok, "How many.", retried)
    ) { try QuarantineEndpoint(context: $1).retry($0) },
    APIRoute(
      "POST", "/api/v1/intake/:id/retry", "retryQuarantined", "Retry one.", tag: "upkeep",
      access: .admin, returns: .json(.ok, "How many.", retried)
    ) { try QuarantineEndpoint(context: $1).retry($0) },
    APIRoute(
      "DELETE", "/api/v1/intake/:id", "discardQuarantined", "Discard one.", tag: "upkeep",
      access: .admin, returns: .empty(.noContent, "It is gone.")
    ) { try QuarantineEndpoint(context: $1).discard($0) },
  ]

  private static let retried = APISchema.object([.always("retried", .count)])
}
