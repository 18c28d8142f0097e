package import CrashService
internal import CrashStore
internal import Documents

/// Calls about groups.
extension APICall {
  package static let listGroups = APICall(
    "listGroups", "GET", "/api/v1/groups",
    query: .paging(GroupOrder.allCases.map(\.rawValue)) + [
      .asked(
        "days", .integer(1...GroupQuery.mostChangeDays),
        "Number of days that the order `change` compares with those before. Default: \(GroupQuery.usualChangeDays)."
      )
    ])
  package static let countGroups = counts("countGroups", of: "groups")
  package static let getGroup = APICall(
    "getGroup", "GET", "/api/v1/groups/:id", query: [.sources])
  package static let listGroupKeys = APICall("listGroupKeys", "GET", "/api/v1/groups/:id/keys")
  package static let getGroupVariants = APICall(
    "getGroupVariants", "GET", "/api/v1/groups/:id/variants")
  package static let listRelatedGroups = APICall(
    "listRelatedGroups", "GET", "/api/v1/groups/:id/related",
    query: [
      .asked(
        "distinct", .choice(["true", "false"]), "Whether to include groups marked as distinct.")
    ])
  package static let getCorrelations = APICall(
    "getCorrelations", "GET", "/api/v1/groups/:id/correlations",
    query: [
      .asked("query", .text(), "A query for the reports to compare; see /fields."),
      .asked("by", .text(atLeast: 1), "Comma-separated fields. Default: where it crashed."),
    ])
  package static let getGroupTrends = APICall(
    "getGroupTrends", "GET", "/api/v1/groups/trend",
    query: [
      .asked("groups", .text(atLeast: 1), "Comma-separated group ids.", isRequired: true)
    ] + .trend(isRequired: true) + [.narrowing])

  /// Returns the call that changes one group.
  package static func act(_ action: GroupAction) -> APICall {
    APICall(
      action.rawValue, "POST", "/api/v1/groups/:id/\(action.rawValue)",
      body: DecisionRequest.one(action))
  }

  /// Returns the call that changes several groups.
  package static func actOnSeveral(_ action: GroupAction) -> APICall {
    APICall(
      action.rawValue + "All", "POST", "/api/v1/actions/\(action.rawValue)",
      body: DecisionRequest.several(action))
  }

  /// Returns the call for the numbers of reports or groups with each value of a field.
  static func counts(_ name: String, of noun: String) -> APICall {
    APICall(
      name, "GET", "/api/v1/\(noun)/counts",
      query: [
        .asked("by", .text(), "The field: see /fields.", isRequired: true), .narrowing,
        .asked(
          "limit", .integer(1...APILimits.list.most), "Maximum number of values. Default: all."),
      ])
  }
}
