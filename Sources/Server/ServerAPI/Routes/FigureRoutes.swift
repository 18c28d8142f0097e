internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for statistics: storage, the ledger, and crash-free sessions.
enum FigureRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .getStats, "How much is stored.", tag: "figures", access: .read,
      returns: .json(.ok, "Output of `mayday stats --json`.", .named("Stats")),
      refusals: [.notFound]
    ) { try ListsEndpoint(context: $1).stats($0) },
    APIRoute(
      .getLedger, "The outcome of everything received, freshly counted.", tag: "figures",
      access: .read,
      returns: .json(.ok, "Output of `mayday stats --ledger --json`.", .named("Ledger")),
      refusals: [.notFound]
    ) { try ListsEndpoint(context: $1).ledger($0) },
    APIRoute(
      .getSessions, "The number of crash-free sessions and users.", tag: "figures", access: .read,
      returns: .json(
        .ok, "Output of `mayday stats --crash-free --json`.", .page(of: .named("Sessions"))),
      refusals: [.notFound]
    ) { try ListsEndpoint(context: $1).sessions($0) },
    APIRoute(
      .submitSessions, "Report sessions, one by one or counted, for crash-free rates.",
      tag: "figures", access: .submissions, rate: .submission,
      input: APIRoute.Input(
        contents: [("application/json", SessionInput.schema)], isRequired: true,
        body: .memory(limit: APILimits.document)),
      returns: .json(
        .ok, "Stored on disk.",
        .object([
          .always("status", .choice(["stored"])),
          .always("new", .count, "New sessions and counts."),
          .always("changed", .count, "Sessions that were updated."),
          .always("known", .count, "Sessions and counts without changes."),
        ])), refusals: [.conflict]
    ) { try SessionsEndpoint(context: $1).submit($0) },
    APIRoute(
      .getSessionTrend,
      "Crash-free sessions and users per day, week or month; the last 30 days by default.",
      tag: "figures", access: .read,
      returns: .trend(
        "Every period from the first to the last day, of all apps together.",
        .named("CrashFreePeriod")), refusals: [.notFound]
    ) { try TrendsEndpoint(context: $1).sessions($0) },
  ]
}
