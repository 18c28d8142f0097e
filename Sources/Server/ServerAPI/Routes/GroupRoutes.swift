internal import APIDocuments
internal import CrashService
internal import Documents
internal import HTTP
import ServerCore

/// Routes for groups: lists, single groups, and decisions about them.
enum GroupRoutes {
  static let all: [APIRoute] =
    [
      APIRoute(
        .listGroups, "Groups.", tag: "groups", access: .read,
        returns: .page("GroupSummary", hasPrevious: true)
      ) { try ListsEndpoint(context: $1).groups($0) },
      counts(of: "groups", .countGroups) {
        try ListsEndpoint(context: $1).counts($0, ofGroups: true)
      },
      APIRoute(
        .getGroup, "A group, where it was seen, and its exemplar.", tag: "groups", access: .read,
        returns: .json(.ok, "Output of `mayday show --json`.", .named("Group"))
      ) { try ListsEndpoint(context: $1).group($0) },
      APIRoute(
        .listGroupKeys, "The keys of a group, by which it can be split.", tag: "groups",
        access: .read, returns: .list("GroupKey")
      ) { try ListsEndpoint(context: $1).keys($0) },
      APIRoute(
        .getGroupVariants, "The different stacks of a group's reports.", tag: "groups",
        access: .read,
        returns: .json(.ok, "Output of `mayday variants --json`.", .named("GroupVariants"))
      ) { try ListsEndpoint(context: $1).variants($0) },
      APIRoute(
        .listRelatedGroups,
        "At most ten groups with stacks similar to a group's, most similar first.",
        tag: "groups", access: .read, returns: .list("RelatedGroup")
      ) { try ListsEndpoint(context: $1).related($0) },
      APIRoute(
        .getCorrelations, "Values that are more frequent in a group than in the rest of its app.",
        tag: "groups", access: .read,
        returns: .json(.ok, "Output of `mayday correlate --json`.", .named("Correlations"))
      ) { try FrequencyEndpoint(context: $1).correlations($0) },
      APIRoute(
        .getGroupTrends,
        "Reports of groups per day, week or month; periods without reports are omitted.",
        tag: "groups", access: .read,
        returns: .trend(
          "The figures of each group.",
          .object([.always("group", .text()), .always("days", .list(period))])),
        refusals: [.notFound]
      ) { try TrendsEndpoint(context: $1).groups($0) },
    ] + GroupAction.allCases.flatMap { [single($0), several($0)] }

  private static func single(_ action: GroupAction) -> APIRoute {
    APIRoute(
      .act(action), action.summary, tag: "triage", access: .triage,
      returns: .json(.ok, "The group after the change.", .named("GroupSummary")),
      refusals: [.conflict], changes: { try ListsEndpoint(context: $1).group($0) }
    ) { try TriageEndpoint(context: $1).act(action, $0) }
  }

  private static func several(_ action: GroupAction) -> APIRoute {
    APIRoute(
      .actOnSeveral(action), action.summary + " With several groups, all change or none.",
      tag: "triage", access: .triage,
      returns: .json(.ok, "The groups after the change.", .named("DecidedGroups")),
      refusals: [.notFound, .conflict]
    ) { try TriageEndpoint(context: $1).actOnSeveral(action, $0) }
  }

  /// Returns a route for the numbers of reports and groups with each value of a field.
  static func counts(
    of noun: String, _ call: APICall, handler: @escaping APIRoute.Handler
  ) -> APIRoute {
    APIRoute(
      call, "The values of a field, with the number of \(noun) for each.", tag: noun,
      access: .read, returns: .json(.ok, "Most frequent first.", .named("Counts")),
      handler: handler)
  }

  /// The number of reports of a day, week or month.
  static let period = APISchema.named("TrendPoint")
}
