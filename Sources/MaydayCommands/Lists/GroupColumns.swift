import CrashModel

/// What a list of groups can show.
enum GroupColumns {
  static let all: [ListColumn<GroupSummary>] = [
    .whole("id") { $0.id }.titled("GROUP"),
    .text("app", widest: 24) { $0.app },
    .number("reports") { $0.reports },
    .number("installs") { $0.installs },
    .whole("first-seen", full: { $0.firstSeen?.description ?? "" }) {
      $0.firstSeen.map(GroupText.day) ?? ""
    },
    .whole("last-seen", full: { $0.lastSeen?.description ?? "" }) {
      $0.lastSeen.map(GroupText.day) ?? ""
    },
    .text(
      "versions", .atStart, widest: 16, full: { GroupText.versions($0.versions) },
      { GroupText.range($0.versions) }),
    .whole("state") { $0.state.rawValue },
    .text("assignee", widest: 20) { $0.assignee ?? "" },
    .whole("kind") { $0.kind.rawValue },
    .whole("category") { $0.signature.category.rawValue },
    .text("reason", widest: 40, full: { $0.reason ?? "" }, { $0.reason ?? "" }),
    .whole("provisional") { $0.signature.isProvisional ? "yes" : "no" },
    .whole("exemplar") { $0.exemplar },
    .text("signature") { $0.signature.text },
  ]

  /// What is shown where nothing was chosen; the state only where it tells something.
  static func usual(for groups: [GroupSummary]) -> [ListColumn<GroupSummary>] {
    let hasState = groups.contains { $0.state != .open }
    return named(
      ["id", "reports", "last-seen", "versions"] + (hasState ? ["state"] : []) + ["signature"])
  }

  /// What is shown beside a line of the reports of each day.
  static func besideTrend(for groups: [GroupSummary]) -> [ListColumn<GroupSummary>] {
    let hasState = groups.contains { $0.state != .open }
    return named(["id", "reports"] + (hasState ? ["state"] : []) + ["signature"])
  }

  private static func named(_ names: [String]) -> [ListColumn<GroupSummary>] {
    names.compactMap { name in all.first { $0.name == name } }
  }
}
