internal import Bytes
internal import CrashStore
internal import Identifiers
internal import Query
internal import TriageModel

/// Runs the queries of users and pages on a home repeatedly, and prints how long each answer took.
enum QueryBench {
  private static let rounds = 40
  /// Number of lines on a page.
  private static let page = 50

  private struct Question {
    let name: String
    let ask: (CrashStore) throws -> Int
  }

  /// - Parameters:
  ///   - home: A home that ``HomeBench`` filled.
  ///   - part: Part of the names of the queries to run; empty for all.
  static func run(home: String, part: String = "") throws {
    let store = try CrashStore(opening: home)
    let totals = try store.reports.totals()
    print("\(totals.reports) reports in \(totals.groups) groups, \(rounds) rounds, milliseconds")
    print(line(["", "median", "p99", "max", "found"]))
    var all: [Double] = []
    let asked = try questions(store).filter { part.isEmpty || $0.name.contains(part) }
    guard !asked.isEmpty else { throw HomeBenchError(reason: "no query is named \(part)") }
    for question in asked {
      var times: [Double] = []
      var found = 0
      // The first answer warms up the caches of the process.
      for round in 0...rounds {
        let start = Measure.wallTime
        found = try question.ask(store)
        if round > 0 { times.append((Measure.wallTime - start) * 1e3) }
      }
      times.sort()
      all += times
      print(
        line([
          question.name, text(times[times.count / 2]), text(percentile(times)),
          text(times.last ?? 0),
          String(found),
        ]))
    }
    all.sort()
    print(
      line(["all", text(all[all.count / 2]), text(percentile(all)), text(all.last ?? 0), ""]))
    print("peak \(Measure.peakMemory)")
  }

  private static func questions(_ store: CrashStore) throws -> [Question] {
    var first = (reports: ReportQuery(), groups: GroupQuery())
    (first.reports.limit, first.groups.limit) = (1, 1)
    let newest = try store.reports.list(first.reports).items.first
    let group = try store.groups.list(first.groups).items.first?.id ?? ""
    // The time that relative times count from: the end of the made-up world.
    let now = newest.map { Timestamp(seconds: $0.time.seconds + 60) } ?? Timestamp(seconds: 0)
    func groups(_ query: String, _ order: GroupQuery.Order = .reports) -> Question {
      Question(name: "groups \(query)" + (order == .reports ? "" : " by \(order.rawValue)")) {
        var list = GroupQuery(try Query(query, now: now))
        list.order = order
        list.limit = page
        return try $0.groups.list(list).total
      }
    }
    func reports(_ query: String) -> Question {
      Question(name: "reports \(query)") {
        var list = ReportQuery(try Query(query, now: now))
        list.limit = page
        return try $0.reports.list(list).total
      }
    }
    func counts(_ query: String, by field: String, _ what: FieldCounts.What) -> Question {
      Question(name: "count \(what.rawValue) \(query) by \(field)") {
        guard let field = QueryField.all.first(where: { $0.name == field }) else { return 0 }
        return try $0.search.counts(
          of: Query(query, now: now), by: field, counting: what, limit: 20
        ).total
      }
    }
    return [
      groups(""), groups("", .lastSeen), groups("", .firstSeen), groups("app:Tern"),
      groups("is:open version:2.7.*"), groups("version:>=2.5 os:iOS first:<30d"),
      groups("signal:SIGSEGV device:iPhone15,*"), groups("function:Basket*"),
      groups("\"render\" app:Plover"), groups("-is:resolved reason:KERN_INVALID_ADDRESS"),
      groups("message:*nil* last:<7d"), groups("image:UIKitCore file:Session*"),
      reports(""), reports("group:\(group)"), reports("app:Heron version:1.*"),
      reports("device:iPhone14,2|iPhone14,5 -os.version:16"), reports("function:*refresh*"),
      reports("nothing-that-is-there"),
      Question(name: "second page of reports") { store in
        var list = ReportQuery()
        list.limit = page
        list.after = try store.reports.list(list).next
        return try store.reports.list(list).items.count
      },
      counts("", by: "version", .reports), counts("app:Tern", by: "device", .groups),
      counts("signal:SIGTRAP", by: "os.version", .reports),
      Question(name: "trend of an app") {
        try $0.search.trend(of: Query("app:Tern", now: now)).count
      },
      Question(name: "trend of a version") {
        try $0.search.trend(of: Query("version:2.*", now: now)).count
      },
      Question(name: "page of the largest group") {
        let breakdown = try $0.groups.breakdown(ofGroup: group, now: now)
        return try breakdown.versions.count + $0.groups.recentReports(ofGroup: group).count
          + $0.groups.history(ofGroup: group).count
      },
      Question(name: "groups related to the largest") {
        try $0.groups.related(to: group).count
      },
      Question(name: "groups related to a report") {
        try $0.groups.related(toReport: newest?.id ?? "").count
      },
      Question(name: "what the largest group has more of than its app") {
        try $0.search.correlations(ofGroup: group, among: Query("", now: now), by: []).items.count
      },
      Question(name: "regressions of an app") {
        try $0.releases.regressions(of: "Tern", RegressionQuery()).groups.count
      },
      Question(name: "symbols missing") { try $0.debugFiles.missing(limit: page).total },
      Question(name: "one report") { store in
        try store.reports.get(newest?.id ?? "").document.count
      },
    ]
  }

  private static func percentile(_ sorted: [Double]) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
  }

  private static func text(_ milliseconds: Double) -> String {
    let tenths = Int((milliseconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func line(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let room = String(repeating: " ", count: max(0, (index == 0 ? 52 : 9) - cell.count))
      return index == 0 ? cell + room : room + cell
    }.joined()
  }
}
