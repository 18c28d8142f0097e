internal import Bytes
internal import CrashModel
internal import CrashService
internal import Identifiers
package import TriageModel

/// The columns of a list of groups.
package enum GroupColumns {
  package static let all: [ListColumn<GroupSummary>] = [
    .whole("id") { $0.id }.titled("GROUP"),
    .text("app", widest: 24) { $0.app },
    .number("reports") { $0.reports },
    .number("users") { $0.installs },
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

  /// Returns the default columns; the state only if not all groups are open. The signature says what crashes,
  /// so on a narrow terminal the other columns make room for it.
  package static func usual(for groups: [GroupSummary], width: Int) -> [ListColumn<GroupSummary>] {
    fitted(["id", "reports", "last-seen", "versions", "state", "signature"], groups, width)
  }

  /// Returns the columns beside a line of the daily reports.
  ///
  /// - Parameter width: The columns of the terminal besides the line.
  package static func besideTrend(for groups: [GroupSummary], width: Int) -> [ListColumn<
    GroupSummary
  >] {
    fitted(["id", "reports", "state", "signature"], groups, width)
  }

  /// Returns the columns with these names, without those that leave the signature less than half of the line
  /// and less than it needs; the first are dropped first.
  private static func fitted(
    _ names: [String], _ groups: [GroupSummary], _ width: Int
  ) -> [ListColumn<GroupSummary>] {
    var names = names
    if groups.allSatisfy({ $0.state == .open }) { names.removeAll { $0 == "state" } }
    let longest = groups.map { $0.signature.text.printable.columns }.max() ?? 0
    for name in ["versions", "state", "last-seen"] {
      let others = named(names.filter { $0 != "signature" })
      let taken = others.reduce(0) { $0 + $1.width(for: groups) + 2 }
      if width - taken >= min(longest, width / 2) { break }
      names.removeAll { $0 == name }
    }
    return named(names)
  }

  private static func named(_ names: [String]) -> [ListColumn<GroupSummary>] {
    names.compactMap { name in all.first { $0.name == name } }
  }
}
