internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for the operator's maintenance.
enum MaintenanceRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .erase, "Erase all data of a user or an installation.", tag: "upkeep", access: .admin,
      returns: .json(
        .ok, "The numbers of deleted items, or of those to delete.",
        .named("ErasureCounts"))
    ) { try EraseEndpoint(context: $1).erase($0) },
    APIRoute(
      .clearTrial, "Remove the test data of `mayday doctor`.",
      tag: "upkeep", access: .admin, returns: .empty(.noContent, "Removed.")
    ) { try DoctorEndpoint(context: $1).clear($0) },
    APIRoute(
      .listQuarantined, "Quarantined submissions, oldest first.",
      tag: "upkeep", access: .admin, returns: .page("Quarantined")
    ) { try QuarantineEndpoint(context: $1).list($0) },
    APIRoute(
      .showQuarantined, "A quarantined submission.", tag: "upkeep", access: .admin,
      returns: .json(.ok, "The submission.", .named("Quarantined"))
    ) { try QuarantineEndpoint(context: $1).show($0) },
    APIRoute(
      .getQuarantined, "The submission's original bytes.",
      tag: "upkeep", access: .admin, returns: .bytes(.ok, "The bytes.")
    ) { try QuarantineEndpoint(context: $1).raw($0) },
    APIRoute(
      .retryAll, "Retry all.", tag: "upkeep", access: .admin,
      returns: .json(.ok, "How many.", retried)
    ) { try QuarantineEndpoint(context: $1).retry($0) },
    APIRoute(
      .retryQuarantined, "Retry one.", tag: "upkeep",
      access: .admin, returns: .json(.ok, "How many.", retried)
    ) { try QuarantineEndpoint(context: $1).retry($0) },
    APIRoute(
      .discardQuarantined, "Discard one.", tag: "upkeep",
      access: .admin, returns: .empty(.noContent, "Discarded.")
    ) { try QuarantineEndpoint(context: $1).discard($0) },
  ]

  private static let retried = APISchema.object([.always("retried", .count)])
}
