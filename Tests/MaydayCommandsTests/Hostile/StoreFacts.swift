import JSON

/// What a home says of itself, without what differs from run to run.
struct StoreFacts: Equatable {
  struct Group: Hashable {
    let id: String
    let reports: Int
    /// The rest of the group as it is printed.
    let text: String
  }

  struct Report: Hashable {
    let id: String
    let group: String
    let text: String
  }

  let groups: [Group]
  let reports: [Report]

  /// The reports that the groups say they hold.
  var counted: Int { groups.reduce(0) { $0 + $1.reports } }

  init(_ home: String) {
    let groups = Run(["groups", "--home", home, "--limit", "0", "--json"]).json.array ?? []
    let reports = Run(["reports", "--home", home, "--limit", "0", "--json"]).json.array ?? []
    self.groups = groups.map { group in
      Group(
        id: group["id"]?.string ?? "", reports: group["reports"]?.integer ?? 0,
        text: Self.text(of: group))
    }.sorted { $0.id < $1.id }
    self.reports = reports.map { report in
      Report(
        id: report["id"]?.string ?? "", group: report["group"]?.string ?? "",
        text: Self.text(of: report))
    }.sorted { $0.id < $1.id }
  }

  /// The reports of the groups that `groups --json` printed.
  static func count(_ groups: JSONValue) -> Int {
    groups.array?.reduce(0) { $0 + ($1["reports"]?.integer ?? 0) } ?? 0
  }

  private static func text(of value: JSONValue) -> String {
    (value.object ?? []).filter { $0.key != "received" }
      .map { "\($0.key)=\($0.value)" }.joined(separator: "\n")
  }
}
