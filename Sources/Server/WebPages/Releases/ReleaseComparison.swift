internal import Bytes
internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import Statistics
internal import Updates

/// A release beside the one before it: their figures, whether it crashes more often, and which groups are more
/// frequent since.
struct ReleaseComparison {
  let call: PageCall
  let figures: ReleaseFigures
  let comparisons: ReleaseComparisons
  /// The release before it; `nil` for the first.
  private let previous: ReleaseRecord?
  private let formerRates: CrashFree
  private let formerSummary: ReleaseSummary

  /// A figure of a release that the page shows beside that of the former one.
  enum Figure {
    case reports, groups, installs, sessions, users
  }

  init(call: PageCall, figures: ReleaseFigures) throws {
    let comparisons = try Self.comparisons(of: figures.app, for: call)
    let releases = try call.service.releases(of: figures.app)
    let index = releases.firstIndex { $0.release.isBuild(of: figures.release) }
    let before = releases[..<(index ?? releases.startIndex)]
    let previous = before.last { $0.reports > 0 } ?? before.last
    var rates = CrashFree()
    if let previous {
      rates =
        try call.service.crashFree(
          of: figures.app, from: figures.days.first, to: call.now, version: previous.release.name
        ).first { $0.app == figures.app }?.figures ?? rates
    }
    let summary = previous.flatMap { comparisons.summaries.releases[$0.release] }
    (self.call, self.figures, self.comparisons) = (call, figures, comparisons)
    (self.previous, formerRates) = (previous, rates)
    formerSummary = summary ?? ReleaseSummary()
  }

  /// Returns the comparison of all releases of an app.
  static func comparisons(of app: String, for call: PageCall) throws -> ReleaseComparisons {
    try call.context.releases.value(of: app) {
      var query = RegressionQuery()
      query.limit = RegressionQuery.mostGroups
      let days = CrashStore.Releases.figureDays.usual
      let first = Timestamp(seconds: call.now.seconds - Int64(days - 1) * 86_400)
      return ReleaseComparisons(
        summaries: try call.context.store.releases.summaries(of: app, now: call.now),
        regressions: try call.service.regressions(of: app, query),
        crashFree: try call.context.store.sessions.crashFreeReleases(
          app: app, from: first, to: call.now))
    }
  }

  // MARK: The former release

  /// The figure of the former release, for a tile: `1.1.0 (117): 386`.
  func former(_ figure: Figure) -> HTML {
    guard let previous else { return .none }
    let value =
      switch figure {
      case .reports: PageText.number(previous.reports)
      case .groups: PageText.number(formerSummary.groups)
      case .installs: PageText.number(formerSummary.installs)
      case .sessions: CrashFreeText.percent(formerRates.sessionRate)
      case .users: CrashFreeText.percent(formerRates.userRate)
      }
    return "<div class=\"quiet small\">\(previous.release.name): \(value)</div>"
  }

  /// The share of the app's sessions, as a tile; nothing without sessions.
  var adoption: HTML {
    let all = comparisons.summaries.sessions
    guard all > 0 else { return .none }
    let before: HTML =
      previous.map {
        """
        <div class="quiet small">\($0.release.name): \(Percent.text(formerSummary.sessions, of: all))</div>
        """
      } ?? .none
    let sessions = comparisons.summaries.releases
      .filter { $0.key.isBuild(of: figures.release) }.reduce(0) { $0 + $1.value.sessions }
    return """
      <li><b>\(Percent.text(sessions, of: all))</b>of sessions in \(ReleaseSummaries.adoptionDays) days\(before)</li>

      """
  }

  // MARK: The verdict

  /// Whether it crashes more often than the former release; nothing without sessions or a former release.
  var verdict: HTML {
    let counts = figures.crashFree
    guard let previous, counts.sessions > 0, counts.sessionRate != nil else { return .none }
    let name = previous.release.name
    let least = RolloutTest.leastSessions
    guard formerRates.sessionRate != nil else {
      let reason = formerRates.sessionGap ?? "it has no sessions on these days"
      return "<p class=\"quiet\">Not compared with \(name): \(reason).</p>"
    }
    guard min(counts.sessions, formerRates.sessions) >= least else {
      return """
        <p class="quiet">Too few sessions to say whether it crashes more often than \(name): each of the two needs \
        \(PageText.number(least)).</p>
        """
    }
    let (new, old) = (Self.sessions(counts), Self.sessions(formerRates))
    let check = RolloutCheck(
      number: 1, time: call.now.microseconds, new: new, crashedInstalls: counts.crashedInstalls,
      formerRelease: name, former: old, pValue: RolloutTest.pValue(new: new, former: old))
    return Self.verdict(of: check, withTime: false)
  }

  private static func sessions(_ counts: CrashFree) -> RolloutTest.Sessions {
    RolloutTest.Sessions(crashed: counts.crashedSessions, all: counts.sessions)
  }

  /// The result of a test in words, and the test with its numbers below.
  static func verdict(of check: RolloutCheck, withTime: Bool = true) -> HTML {
    let words = check.verdict.prefix(1).uppercased() + check.verdict.dropFirst()
    let when =
      withTime
      ? ", \(GroupText.day(Timestamp(microseconds: check.time))), look \(check.number)" : ""
    let style: HTML = check.isWorse ? "message damaged" : "verdict"
    return """
      <div class="\(style)"><b>\(String(words)).</b>\
      <details><summary class="quiet small">The test</summary><p class="quiet small">\(check.counts). \
      \(RolloutTest.name)\(when).</p></details></div>
      """
  }

  // MARK: Groups that are more frequent

  /// The groups that are more frequent since this release.
  var frequencies: HTML {
    let regressions = comparisons.regressions
    guard regressions.builds.contains(where: { $0.isBuild(of: figures.release) }),
      regressions.builds.first.map({ !$0.isBuild(of: figures.release) }) ?? false
    else { return .none }
    let found = regressions.groups.filter { $0.release.isBuild(of: figures.release) }
    let whole = regressions.whole.flatMap { $0.release.isBuild(of: figures.release) ? $0 : nil }
    let among = regressions.basis == .sessions ? "sessions" : "cases of all groups"
    guard !found.isEmpty || whole != nil else {
      return """
        <section id="more-frequent"><h2>More frequent since this release</h2>
        <p class="quiet">No group. \(tested(regressions)).</p></section>
        """
    }
    let all: HTML =
      whole.map { whole in
        """
        <p><b>All crashes together</b> are more frequent: \(Self.rate(whole.new)) of \(among), before \
        \(Self.rate(whole.former)); \(RegressionText.confidence(whole.confidence)) sure.</p>
        """
      } ?? .none
    return """
      <section id="more-frequent"><h2>More frequent since this release \
      <span class="quiet">\(PageText.number(found.count))</span></h2>
      <p class="quiet">Shares of \(among). \(tested(regressions)).</p>
      \(all)\(found.isEmpty ? .none : table(found))</section>
      """
  }

  private func tested(_ regressions: AppRegressions) -> String {
    let since = regressions.since.map { " since \(GroupText.day($0))" } ?? ""
    return "\(PageText.count(regressions.tested, "group", "groups")) tested in "
      + "\(PageText.count(regressions.builds.count, "build", "builds"))\(since)"
  }

  private func table(_ found: [FirstBadBuild]) -> HTML {
    let severalBuilds = Set(found.map(\.release)).count > 1
    var table = CardTable([
      ("Group", .text), ("Id", .side), ("Before", .number), ("Now", .number), ("Cases", .number),
      ("Users", .number), ("Confidence", .number), ("Status", .text),
    ])
    for item in found {
      let since: HTML =
        severalBuilds ? "<div class=\"quiet small\">since \(item.release.name)</div>" : .none
      table.add(
        [
          "<a class=\"signature\" href=\"/groups/\(item.group.inAddress)\">\(item.title)</a>\(since)",
          "\(item.group)", item.isNew ? "new" : Self.share(item.former), Self.share(item.new),
          "\(PageText.number(item.new.marked))", "\(PageText.number(item.installs))",
          "\(RegressionText.confidence(item.confidence))", PageText.status(item.state),
        ], link: true)
    }
    return table.markup
  }

  /// `1.2 % (12 of 1,000)`
  private static func rate(_ sample: FisherTest.Sample) -> String {
    "\(Percent.text(sample.marked, of: sample.all)) "
      + "(\(PageText.number(sample.marked)) of \(PageText.number(sample.all)))"
  }

  private static func share(_ sample: FisherTest.Sample) -> HTML {
    """
    \(Percent.text(sample.marked, of: sample.all)) \
    <span class="quiet small">of \(PageText.number(sample.all))</span>
    """
  }
}
