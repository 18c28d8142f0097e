internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
internal import HTTP
internal import Rendering
import ServerCore

/// Routes for groups: lists, single groups, and decisions about them.
enum GroupRoutes {
  static let all: [APIRoute] =
    [
      APIRoute(
        "GET", "/api/v1/groups", "listGroups", "Groups.", tag: "groups", access: .read,
        query: .paging(GroupOrder.allCases.map(\.rawValue)), returns: .page("GroupSummary")
      ) { try ListsEndpoint(context: $1).groups($0) },
      counts(of: "groups", "countGroups") {
        try ListsEndpoint(context: $1).counts($0, ofGroups: true)
      },
      APIRoute(
        "GET", "/api/v1/groups/:id", "getGroup",
        "A group, where it was seen, and its exemplar.", tag: "groups", access: .read,
        query: [.sources],
        returns: .json(.ok, "Output of `mayday show --json`.", .named("Group"))
      ) { try ListsEndpoint(context: $1).group($0) },
      APIRoute(
        "GET", "/api/v1/groups/:id/keys", "listGroupKeys",
        "The keys of a group, by which it can be split.", tag: "groups", access: .read,
        returns: .list("GroupKey")
      ) { try ListsEndpoint(context: $1).keys($0) },
      APIRoute(
        "GET", "/api/v1/groups/:id/variants", "getGroupVariants",
        "The different stacks of a group's reports.", tag: "groups", access: .read,
        returns: .json(.ok, "Output of `mayday variants --json`.", .named("GroupVariants"))
      ) { try ListsEndpoint(context: $1).variants($0) },
      APIRoute(
        "GET", "/api/v1/groups/:id/related", "listRelatedGroups",
        "At most ten groups with stacks similar to a group's, most similar first.",
        tag: "groups", access: .read,
        query: [
          .asked(
            "distinct", .choice(["true", "false"]), "Whether to include groups marked as distinct.")
        ],
        returns: .list("RelatedGroup")
      ) { try ListsEndpoint(context: $1).related($0) },
      APIRoute(
        "GET", "/api/v1/groups/:id/correlations", "getCorrelations",
        "Values that are more frequent in a group than in the rest of its app.", tag: "groups",
        access: .read,
        query: [
          .asked("query", .text(), "A query for the reports to compare; see /fields."),
          .asked("by", .text(atLeast: 1), "Comma-separated fields. Default: where it crashed."),
        ],
        returns: .json(.ok, "Output of `mayday correlate --json`.", .named("Correlations"))
      ) { try FrequencyEndpoint(context: $1).correlations($0) },
      APIRoute(
        "GET", "/api/v1/groups/trend", "getGroupTrends",
        "Reports of groups per day, week or month; periods without reports are omitted.",
        tag: "groups", access: .read,
        query: [
          .asked("groups", .text(atLeast: 1), "Comma-separated group ids.", isRequired: true)
        ] + .trend(isRequired: true) + [.narrowing],
        returns: .trend(
          "The figures of each group.",
          .object([.always("group", .text()), .always("days", .list(period))])),
        refusals: [.notFound]
      ) { try TrendsEndpoint(context: $1).groups($0) },
    ] + GroupAction.allCases.flatMap { [single($0), several($0)] }

  private static func single(_ action: GroupAction) -> APIRoute {
    APIRoute(
      "POST", "/api/v1/groups/:id/\(action.rawValue)", action.rawValue, action.summary,
      tag: "triage", access: .triage, input: .json(action.members),
      returns: .json(.ok, "The group after the change.", .named("GroupSummary")),
      refusals: [.conflict], changes: { try ListsEndpoint(context: $1).group($0) }
    ) { try TriageEndpoint(context: $1).act(action, $0) }
  }

  private static func several(_ action: GroupAction) -> APIRoute {
    APIRoute(
      "POST", "/api/v1/actions/\(action.rawValue)", action.rawValue + "All",
      action.summary + " With several groups, all change or none.", tag: "triage",
      access: .triage,
      input: .json(
        [.always("groups", .list(.text(atLeast: 1), atLeast: 1, atMost: GroupAction.mostGroups))]
          + action.members),
      returns: .json(
        .ok, "The groups after the change.",
        .named("DecidedGroups")),
      refusals: [.notFound, .conflict]
    ) { try TriageEndpoint(context: $1).actOnSeveral(action, $0) }
  }

  /// Returns a route for the numbers of reports and groups with each value of a field.
  static func counts(
    of noun: String, _ name: String, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      "GET", "/api/v1/\(noun)/counts", name,
      "The values of a field, with the number of \(noun) for each.", tag: noun, access: .read,
      query: [
        .asked("by", .text(), "The field: see /fields.", isRequired: true), .narrowing,
        .asked(
          "limit", .integer(1...APILimits.list.most), "Maximum number of values. Default: all."),
      ],
      returns: .json(
        .ok, "Most frequent first.", .named("Counts")), handler: handler)
  }

  /// The number of reports of a day, week or month.
  static let period = APISchema.named("TrendPoint")
}
