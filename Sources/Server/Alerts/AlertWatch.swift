internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerStore
internal import Statistics
internal import TriageModel

/// Checks the rules and records the alerts that they raise.
///
/// New groups and regressions are lines of the group histories. Each check reads the lines after the last known
/// one of each app by number, so its cost depends only on the apps and on new events. Such a line is written
/// once, when a report opens a group or shows that it is not fixed; late debug files, merges and splits write
/// other lines. Conditions are checked every ten minutes.
struct AlertWatch {
  let store: CrashStore
  let server: ServerStore

  private var table: AlertsTable { AlertsTable(in: server) }

  /// The maximum number of history lines that one check reads.
  private static let linesAtOnce = 2_000
  /// Seconds between two checks of conditions.
  private static let interval: Int64 = 600
  /// The number of groups that share one query.
  private static let groupsAtOnce = 50
  /// The probability below which a number of reports counts as a spike.
  private static let leastProbability = 0.001
  /// Fewer installations prove nothing: one device may crash again and again.
  private static let leastInstalls = 3
  /// The period before a spike with which it is compared, in seconds.
  private static let past = 7 * 86_400
  /// A release counts as in use for this many seconds after its last report.
  private static let liveFor: Int64 = 7 * 86_400
  /// The maximum number of releases per app to check, those seen last.
  private static let mostReleases = 20

  func look(now: Timestamp) throws {
    let rules = try table.rules()
    guard !rules.isEmpty else { return }
    try lookAtHistories(for: rules, now: now)
    try lookAtNews(for: rules)
    let conditions = rules.filter(\.kind.isCondition)
    let last = try table.lastConditions().map(Timestamp.init(microseconds:))
    let isNew = conditions.contains { rule in
      last.map { rule.created > $0 && rule.created <= now } ?? true
    }
    // A last check in the future dates from before the clock was corrected.
    let isTime = last.map { $0 > now || now.seconds - $0.seconds >= Self.interval } ?? true
    guard isNew || isTime else { return }
    for rule in conditions {
      try noting(rule) {
        let found = try holding(rule, now: now)
        try table.note(found, of: rule.number, pause: Self.pause(of: rule), last: last, now: now)
      }
    }
    // Also after failed checks, which would otherwise run in every round.
    if !conditions.isEmpty { try table.noteConditions(now: now) }
  }

  /// Stores a failure of one rule with that rule, so that the other rules still run.
  private func noting(_ rule: AlertRule, _ body: () throws -> Void) throws {
    do {
      try body()
      try table.note(problem: nil, of: rule)
    } catch let error as QueryError {
      // On one line: the query is shown with the rule.
      let problem = error.message + (error.hint.map { "; " + $0 } ?? "")
      try table.note(problem: problem, of: rule)
    } catch let error as StoreError {
      try table.note(problem: "\(error)", of: rule)
    }
  }

  // MARK: Histories

  private func lookAtHistories(for rules: [AlertRule], now: Timestamp) throws {
    // A restored home has rules, but its existing groups must not alert again.
    guard let marks = try table.marks(.history, ends: store.groups.lastEvents) else {
      try table.add([:], upTo: try store.groups.lastEvents(), from: nil)
      return
    }
    let (arrivals, last) = try store.groups.arrivals(after: marks, limit: Self.linesAtOnce)
    guard last != marks else { return }
    var found: AlertsTable.Found = [:]
    var more: [Int: Int] = [:]
    var made: [Int: Alert?] = [:]
    for rule in rules where !rule.kind.isCondition && !rule.kind.isAboutDistribution {
      let arrived = arrivals.filter { arrival in
        (rule.kind == .newGroup) == (arrival.kind == .new)
          && arrival.number > rule.marks[arrival.appRow] ?? 0
      }
      guard !arrived.isEmpty else { continue }
      try noting(rule) {
        // The app may have been renamed since.
        let app = try rule.app.map { try store.apps.existingName(of: $0) }
        let fitting = arrived.filter { app == nil || $0.app == app }
        let asked = try asked(of: fitting, by: rule, now: now)
        let kept = asked.prefix(AlertsTable.mostWaiting)
        found[rule.number] = try kept.compactMap { try alert($0, &made) }
        more[rule.number] = asked.count - kept.count
      }
    }
    try table.add(found, more: more, upTo: last, from: marks)
  }

  /// The arrivals that match the query of a rule.
  private func asked(
    of arrivals: [GroupArrival], by rule: AlertRule, now: Timestamp
  ) throws -> [GroupArrival] {
    guard !rule.query.isEmpty else { return arrivals }
    let conditions = try Query(rule.query, now: now).conditions
    var names: Set<String> = []
    for start in stride(from: 0, to: arrivals.count, by: Self.groupsAtOnce) {
      let part = arrivals[start..<min(start + Self.groupsAtOnce, arrivals.count)]
      let list = Set(part.map(\.group)).sorted().joined(separator: "|")
      let groups = try Query("group:" + list, now: now).conditions
      let page = try store.groups.list(GroupQuery(Query(conditions: groups + conditions)))
      names.formUnion(page.items.map(\.id))
    }
    return arrivals.filter { names.contains($0.group) }
  }

  /// - Parameter made: Alerts already made for other rules, by history line number; `nil` for a group that
  ///   was deleted since its line was read.
  private func alert(_ arrival: GroupArrival, _ made: inout [Int: Alert?]) throws -> Alert? {
    if let known = made[arrival.number] { return known }
    var new: Alert?
    do {
      new = try alert(arrival)
    } catch StoreError.notFound {}
    made[arrival.number] = new
    return new
  }

  private func alert(_ arrival: GroupArrival) throws -> Alert {
    let group = try store.groups.get(arrival.group)
    var parts: [String] = []
    if let reason = group.reason { parts.append(reason) }
    switch arrival.kind {
    case .new:
      if !arrival.release.isEmpty { parts.append("first in \(arrival.release.name)") }
    case .regressed: parts.append(arrival.detail)
    }
    var count = GroupText.count(group.reports, "report", "reports")
    if let installs = group.installs {
      count += " from " + GroupText.count(installs, "user", "users")
    }
    parts.append(count)
    if group.signature.isProvisional { parts.append("symbols are missing") }
    return Alert(
      time: arrival.time, app: arrival.app, name: arrival.group, title: group.signature.text,
      detail: parts.joined(separator: "; "), path: "/groups/" + arrival.group)
  }

  // MARK: News

  /// Looks at what was published, and at who was invited.
  private func lookAtNews(for rules: [AlertRule]) throws {
    // Of a restored home nothing is news.
    guard let marks = try table.marks(.news, ends: store.distribution.lastNews) else {
      try table.add([:], upTo: try store.distribution.lastNews(), from: nil, of: .news)
      return
    }
    let (news, last) = try store.distribution.news(after: marks, limit: Self.linesAtOnce)
    guard last != marks else { return }
    var found: AlertsTable.Found = [:]
    var more: [Int: Int] = [:]
    for rule in rules where rule.kind.isAboutDistribution {
      try noting(rule) {
        let app = try rule.app.map { try store.apps.existingName(of: $0) }
        let fitting = news.filter { line in
          line.kind.rawValue == rule.kind.rawValue
            && line.number > rule.marks[line.appRow] ?? 0
            && (app == nil || line.app == app)
        }
        found[rule.number] = fitting.prefix(AlertsTable.mostWaiting).map(Self.alert)
        more[rule.number] = max(0, fitting.count - AlertsTable.mostWaiting)
      }
    }
    try table.add(found, more: more, upTo: last, from: marks, of: .news)
  }

  private static func alert(_ news: DistributionNews) -> Alert {
    switch news.kind {
    case .release:
      Alert(
        time: news.time, app: news.app, name: "",
        title: "\(news.release.name) for \(news.recipient)",
        detail: "\(news.detail), published by \(news.author)", path: "/releases")
    case .invitation:
      Alert(
        time: news.time, app: news.app, name: "", title: "\(news.detail) for \(news.recipient)",
        detail: "invited by \(news.author)", path: "/releases")
    }
  }

  // MARK: Conditions

  /// The number of seconds a condition must be over before it alerts again.
  private static func pause(of rule: AlertRule) -> Int {
    switch rule.kind {
    case .spike: max(3_600, rule.window)
    case .crashFree, .missingSymbols: 86_400
    case .newGroup, .regression, .quarantine, .release, .invitation: 3_600
    }
  }

  private func holding(_ rule: AlertRule, now: Timestamp) throws -> [String: Alert] {
    switch rule.kind {
    case .newGroup, .regression, .release, .invitation: [:]
    case .spike: try spikes(rule, now: now)
    case .crashFree: try lowRates(rule, now: now)
    case .missingSymbols: try missingFiles(rule, now: now)
    case .quarantine: try quarantined(now: now)
    }
  }

  private func apps(of rule: AlertRule) throws -> [String] {
    if let app = rule.app { return [try store.apps.existingName(of: app)] }
    return try store.apps.list().map(\.name)
  }

  private func spikes(_ rule: AlertRule, now: Timestamp) throws -> [String: Alert] {
    var conditions = try Query(rule.query, now: now).conditions
    if let app = try rule.app.map({ try store.apps.existingName(of: $0) }) {
      conditions += try Query("app:" + Self.quoted(app), now: now).conditions
    }
    let (counts, all) = try store.search.arrivals(
      of: Query(conditions: conditions), before: now, recent: rule.window, past: Self.past,
      by: rule.basis == .app ? .apps : .groups, atLeast: rule.least)
    let start = Double(now.seconds) - Double(rule.window)
    let tested = counts.compactMap {
      count -> (count: ArrivalCount, usual: Double, chance: Double)? in
      let time = min(Double(Self.past), start - Double(count.since.seconds))
      guard time >= Double(rule.window) else { return nil }
      let chance = PoissonTest.pValue(
        of: .init(count.recent, in: Double(rule.window)), over: .init(count.past, in: time))
      return (count, Double(count.past) / time * Double(rule.window), chance)
    }
    // Those with too few recent reports were tested, too, and count for the correction.
    let chances = HolmCorrection.adjusted(tested.map(\.chance), of: all)
    var found: [String: Alert] = [:]
    for (test, chance) in zip(tested, chances) {
      let (count, usual) = (test.count, test.usual)
      guard chance <= Self.leastProbability, count.installs >= Self.leastInstalls,
        Double(count.recent) * 100 >= usual * Double(rule.factor)
      else { continue }
      let tenths = Int((usual * 10).rounded())
      let isApp = rule.basis == .app
      found[count.name] = Alert(
        time: now, app: count.app, name: isApp ? "" : count.name,
        title: isApp ? "All groups" : try store.groups.get(count.name).signature.text,
        detail: "\(count.recent) reports from "
          + GroupText.count(count.installs, "user", "users")
          + " in \(Self.hours(rule.window)); usually \(AlertRule.decimal(tenths, 10))",
        path: isApp ? "/" : "/groups/" + count.name)
    }
    return found
  }

  private func lowRates(_ rule: AlertRule, now: Timestamp) throws -> [String: Alert] {
    let first = Timestamp(seconds: Int64(now.day - rule.window / 86_400 + 1) * 86_400)
    var found: [String: Alert] = [:]
    for app in try apps(of: rule) {
      let figures = try store.sessions.crashFree(app: app, from: first, to: now)
      let isOfUsers = rule.basis == .users
      let rate = isOfUsers ? figures.userRate : figures.sessionRate
      guard figures.sessions >= rule.least else { continue }
      // Enough sessions without a rate are worse than a low rate: the crashes would go unnoticed.
      if let gap = isOfUsers ? figures.userGap : figures.sessionGap, figures.crashedSessions > 0 {
        found[app] = Alert(
          time: now, app: app, name: "",
          title: "There is no rate of crash-free \(rule.basis.rawValue)",
          detail: "\(gap); since \(GroupText.day(first))", path: "/releases")
        continue
      }
      guard let rate, rate * 10_000 < Double(rule.below) else { continue }
      let (crashed, all) =
        isOfUsers
        ? (figures.crashedInstalls, figures.installs) : (figures.crashedSessions, figures.sessions)
      // Rounded down: 98.996 is below 99.
      let hundredths = Int((rate * 10_000).rounded(.down))
      found[app] = Alert(
        time: now, app: app, name: "",
        title:
          "\(AlertRule.decimal(hundredths, 100))% of \(rule.basis.rawValue) were crash-free",
        detail:
          "\(crashed) of \(all) \(rule.basis.rawValue) crashed since \(GroupText.day(first)); "
          + "the rule requires \(AlertRule.decimal(rule.below, 100))%",
        path: "/releases")
    }
    return found
  }

  private func missingFiles(_ rule: AlertRule, now: Timestamp) throws -> [String: Alert] {
    let query = rule.query.isEmpty ? nil : try Query(rule.query, now: now)
    var found: [String: Alert] = [:]
    for app in try apps(of: rule) {
      let live = try store.releases.list(of: app)
        .filter { $0.lastSeen.map { now.seconds - $0.seconds < Self.liveFor } ?? false }
        .sorted { ($0.lastSeen ?? $0.added) > ($1.lastSeen ?? $1.added) }
        .prefix(Self.mostReleases)
      guard !live.isEmpty else { continue }
      let asked = try query.map { try store.debugFiles.missing(of: $0, app: app).images }
      for record in live {
        let images =
          try asked?.filter { image in
            image.isOwn && image.builds.contains { $0.release == record.release }
          } ?? store.debugFiles.missing(of: record.release, app: app)
        for image in images where !image.hasDebugFile {
          let id = image.debugID.map { "\($0)" } ?? image.name
          found[app + " " + id] = Alert(
            time: now, app: app, name: image.name,
            title: "The debug file of \(image.name) is missing",
            detail: (image.debugID.map { "debug id \($0), " } ?? "")
              + "in \(record.release.name): "
              + GroupText.count(image.reports, "report is waiting", "reports are waiting")
              + " for it",
            path: "/symbols")
        }
      }
    }
    return found
  }

  private func quarantined(now: Timestamp) throws -> [String: Alert] {
    let count = try IntakeQueue(in: server).counts().quarantined
    guard count > 0 else { return [:] }
    return [
      "": Alert(
        time: now, app: "", name: "", title: "The quarantine is not empty",
        detail: GroupText.count(count, "submission", "submissions") + " could not be stored",
        path: "/server/quarantine")
    ]
  }

  private static func hours(_ seconds: Int) -> String {
    seconds % 86_400 == 0
      ? GroupText.count(seconds / 86_400, "day", "days")
      : GroupText.count(seconds / 3_600, "hour", "hours")
  }

  /// Quotes a name as a single value of a query.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
