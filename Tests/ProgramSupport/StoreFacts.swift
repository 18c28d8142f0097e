import JSON

/// Contents of a home, without data that differs from run to run: the time a report was received, which
/// counts as the time of those that have none.
struct StoreFacts: Equatable {
  struct Group: Hashable {
    let id: String
    let reports: Int
    /// The other members of the group as printed.
    let text: String
  }

  struct Report: Hashable {
    let id: String
    let group: String
    let signature: String
    let text: String
  }

  let groups: [Group]
  let reports: [Report]

  /// The reports that the groups list.
  var counted: Int { groups.reduce(0) { $0 + $1.reports } }

  init(_ home: String) {
    let groups = Run(["groups", "--home", home, "--limit", "0", "--json"]).json.array ?? []
    let reports = Run(["reports", "--home", home, "--limit", "0", "--json"]).json.array ?? []
    let start = reports.compactMap { $0["received"]?.string }.min() ?? ""
    self.groups = groups.map { group in
      Group(
        id: group["id"]?.string ?? "", reports: group["reports"]?.integer ?? 0,
        text: Self.text(of: group, before: start))
    }.sorted { $0.id < $1.id }
    self.reports = reports.map { report in
      Report(
        id: report["id"]?.string ?? "", group: report["group"]?.string ?? "",
        signature: report["signature"]?["text"]?.string ?? "",
        text: Self.text(of: report, before: start))
    }.sorted { $0.id < $1.id }
  }

  /// The reports of the groups that `groups --json` printed.
  static func count(_ groups: JSONValue) -> Int {
    groups.array?.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) } ?? 0
  }

  /// - Parameter start: When the first report was received; later times are left out.
  private static func text(of value: JSONValue, before start: String) -> String {
    switch value {
    case .object(let members):
      let kept = members.filter { member in
        !["received", "time", "first_seen", "last_seen"].contains(member.key)
          || (member.value.string ?? "") < start
      }
      return kept.map { "\($0.key): \(text(of: $0.value, before: start))" }.joined(separator: "\n")
    case .array(let elements):
      return elements.map { text(of: $0, before: start) }.joined(separator: ", ")
    default: return "\(value)"
    }
  }
}
