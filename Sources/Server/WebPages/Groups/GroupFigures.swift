internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Query
internal import Rendering
internal import ServerCore
internal import TriageModel

/// Where and when a group occurs: releases, days, systems, devices, tags and unusual values.
struct GroupFigures {
  let call: PageCall
  let overview: GroupOverview
  let firstBad: FirstBad?

  /// The build since which a group is more frequent.
  struct FirstBad {
    let build: FirstBadBuild
    let basis: AppRegressions.Basis

    /// `almost certainly`
    var sure: String {
      switch build.confidence {
      case 0.999...: "almost certainly"
      case 0.99...: "very likely"
      case 0.9...: "likely"
      default: "perhaps"
      }
    }

    /// The text before the build's name.
    var what: String { build.isNew ? "new in" : "more frequent since" }
  }

  /// The number of releases shown; older ones are folded.
  private static let mostReleases = 8
  /// The number of tags shown; further ones are folded.
  private static let mostTags = 6
  private static let allTags = 40
  private static let mostUnusual = 12
  /// Comparing a group with its app reads a little of every report of the app, so larger apps compare on
  /// request.
  private static let comparedReports = 300_000

  private var group: GroupSummary { overview.group }

  /// `nil` if chance is the likelier explanation.
  static func firstBad(of group: GroupSummary, for call: PageCall) throws -> FirstBad? {
    var query = RegressionQuery()
    query.group = group.id
    let result = try call.context.regressions.regressions(of: group.id) {
      try call.service.regressions(of: group.app, query)
    }
    return result.groups.first { $0.isCertain(0.5) }.map {
      FirstBad(build: $0, basis: result.basis)
    }
  }

  func parts() throws -> HTML {
    guard let breakdown = overview.breakdown else { return .none }
    var tags = try call.context.store.search.tags(ofGroup: group.id)
    tags.tags.removeAll { call.withholding.hides(fieldNamed: $0.field, of: group.app) }
    let varied = tags.tags.filter { !$0.hasOneValue }
    return """
      <div class="columns">
      <section><h2>Trend</h2>\(try trend(breakdown))</section>
      \(releases(breakdown))
      </div>
      \(try unusual(breakdown))
      <div class="columns">
      \(ranking("Systems", breakdown.systems, group.reports) { os($0) })
      \(ranking("Devices", breakdown.devices, group.reports) { QueryWords.link("device", $0) })
      \(varied.prefix(Self.mostTags).map { spread($0) })
      </div>
      \(rest(of: tags, varied))
      """
  }

  // MARK: When

  private func trend(_ breakdown: GroupBreakdown) throws -> HTML {
    let first = breakdown.days.first?.start.day ?? call.now.day
    let days = first..<(first + breakdown.days.count)
    let found = try call.context.store.groups.releaseDays(ofGroup: group.id, days: days)
    let window = TrendWindow(days: days.count, through: days.upperBound - 1, now: call.now)
    let daily = try call.service.dailyReports(
      of: .all, inGroups: [group.id], days: window.before.lowerBound..<days.upperBound)
    var chart = ReleaseChart(days: days, found, order: breakdown.versions.map(\.name))
    // Nothing can be compared with days before the first report.
    if let first = group.firstSeen, first.day < days.lowerBound {
      chart.change = Trend(window, counts: daily[group.id] ?? [:])
    }
    return chart.chart(today: call.now.day)
  }

  // MARK: Releases

  private func releases(_ breakdown: GroupBreakdown) -> HTML {
    guard breakdown.versions.contains(where: { !$0.name.isEmpty }) else {
      return """
        <section><h2>Releases</h2><p class="empty">No report names a release. SDKs set it, and so does \
        <code>mayday ingest --app-version</code>.</p></section>
        """
    }
    let named = breakdown.versions.filter { !$0.name.isEmpty }
    let newest = Array(breakdown.versions.reversed())
    let rows = newest.map { version -> HTML in
      let marks = marks(of: version.name, first: named.first?.name, last: named.last?.name).map {
        " <span class=\"tag\">\($0)</span>" as HTML
      }
      let name: HTML =
        version.name.isEmpty
        ? "no version"
        : "<a href=\"/releases/\(group.app.inAddress)/\(version.name.inAddress)\">\(version.name)</a>"
      return """
        <tr><td>\(name)\(marks)</td>\(bar(version.reports, of: group.reports))\
        <td class="number">\(PageText.number(version.reports))</td>\
        <td class="side">\(PageText.days(version.firstDay, version.lastDay))</td></tr>
        """
    }
    let head: HTML = """
      <tr><th>Release</th><th><span class="hidden">Bar</span></th><th class="number">Share</th><th class="number">Reports</th><th class="side">Seen</th></tr>
      """
    let older = Array(rows.dropFirst(Self.mostReleases))
    let folded: HTML =
      older.isEmpty
      ? .none
      : """
      <details><summary class="quiet">\(GroupText.count(older.count, "older release", "older releases"))</summary>\
      <div class="scroll"><table>\(head)\(older)</table></div></details>
      """
    return """
      <section><h2>Releases</h2>\(change)
      <div class="scroll"><table>\(head)\(Array(rows.prefix(Self.mostReleases)))</table></div>\(folded)</section>
      """
  }

  /// The build since which it is more frequent, with the certainty.
  private var change: HTML {
    guard let firstBad else { return .none }
    let build = firstBad.build
    let sure = firstBad.sure.prefix(1).uppercased() + firstBad.sure.dropFirst()
    return """
      <p><b>\(sure) \(firstBad.what) \(build.release.name)</b> \
      <span class="quiet">\(RegressionText.line(build, firstBad.basis))</span></p>
      """
  }

  private func marks(of name: String, first: String?, last: String?) -> [String] {
    guard !name.isEmpty else { return [] }
    var marks: [String] = []
    if name == first { marks.append("first") }
    if name == last { marks.append("last") }
    if name == firstBad?.build.release.name { marks.append("first bad") }
    let cameBack = overview.history.contains {
      $0.event == "regressed" && $0.detail.hasPrefix("seen in \(name),")
    }
    if cameBack { marks.append("came back") }
    if let fix = group.status.fix?.release, group.status.fix?.kind == .inRelease,
      Release(name).isBuild(of: fix)
    {
      marks.append("should be fixed")
    }
    return marks
  }

  // MARK: Shares

  private func bar(_ part: Int, of total: Int) -> HTML {
    """
    <td class="bar"><meter min="0" max="\(max(1, total))" value="\(part)">\(Percent.text(part, of: total))</meter></td>\
    <td class="number" title="\(PageText.number(part)) of \(PageText.number(total))">\(Percent.text(part, of: total))</td>
    """
  }

  private func os(_ name: String) -> String? { QueryWords.link("os", name) }

  /// - Parameter condition: The query condition for the reports with a value.
  private func ranking(
    _ title: String, _ ranking: GroupBreakdown.Ranking, _ total: Int,
    _ condition: (String) -> String?
  ) -> HTML {
    guard ranking.top.contains(where: { !$0.name.isEmpty }) else { return .none }
    let rows = ranking.top.map { share -> HTML in
      let link = share.name.isEmpty ? nil : condition(share.name)
      let name: HTML =
        link.map {
          "<a href=\"/groups/\(group.id.inAddress)/reports?q=\($0.inAddress)\">\(share.name)</a>"
        }
        ?? "\(share.name.isEmpty ? "unknown" : share.name)"
      return "<tr><td>\(name)</td>\(bar(share.reports, of: total))</tr>"
    }
    let others: HTML =
      ranking.others > 0
      ? "<p class=\"quiet\">and \(GroupText.count(ranking.others, "other", "others")), with \(GroupText.count(ranking.reportsOfOthers, "report", "reports"))</p>"
      : .none
    return "<section><h2>\(title)</h2><table>\(rows)</table>\(others)</section>"
  }

  private func spread(_ tag: TagDistribution) -> HTML {
    ranking(tag.field, tag.values, tag.reports) { QueryWords.link(tag.field, $0) }
  }

  /// Tags with the same value in all reports, which tell nothing apart.
  private func single(_ tags: GroupTags) -> HTML {
    let single = tags.tags.filter(\.hasOneValue).prefix(Self.allTags)
    guard !single.isEmpty else { return .none }
    let rows = single.map { tag -> HTML in
      let value = tag.values.top.first?.name ?? ""
      let link = QueryWords.link(tag.field, value)
      let shown: HTML =
        link.map {
          "<a href=\"/groups/\(group.id.inAddress)/reports?q=\($0.inAddress)\">\(value)</a>"
        } ?? "\(value)"
      return "<tr><th scope=\"row\">\(tag.field)</th><td>\(shown)</td></tr>"
    }
    return """
      <details><summary>\(GroupText.count(rows.count, "tag", "tags")) with one value</summary>\
      <table class="values">\(Array(rows))</table></details>
      """
  }

  private func rest(of tags: GroupTags, _ varied: [TagDistribution]) -> HTML {
    guard !tags.tags.isEmpty else { return .none }
    let more = varied.dropFirst(Self.mostTags).prefix(Self.allTags)
    let folded: HTML =
      more.isEmpty
      ? .none
      : """
      <details><summary>\(GroupText.count(more.count, "more tag", "more tags"))</summary>\
      <div class="columns">\(more.map { spread($0) })</div></details>
      """
    return """
      \(folded)\(single(tags))
      <p class="quiet">Tags come from the newest stored reports (\(PageText.number(tags.reports))).</p>
      """
  }

  // MARK: What is unusual

  private func unusual(_ breakdown: GroupBreakdown) throws -> HTML {
    guard breakdown.reportsOfApp > group.reports else { return .none }
    let isAsked = call.request.query["compare"] == "1"
    guard isAsked || breakdown.reportsOfApp <= Self.comparedReports else {
      return """
        <section><h2>Unusual</h2><p><a href="/groups/\(group.id.inAddress)?compare=1">Compare with the rest of \
        \(PageText.reports(of: group.app))</a></p></section>
        """
    }
    let found = try call.context.correlations.value(of: group.id) {
      try call.service.correlations(ofGroup: group.id, among: .all, by: [])
    }
    let own = found.items.filter { !$0.followsRelease }
    let others = found.items.filter(\.followsRelease)
    guard !own.isEmpty || !others.isEmpty else {
      return isAsked
        ? "<section><h2>Unusual</h2><p class=\"quiet\">No value is significantly more frequent than in the rest of \(PageText.reports(of: group.app)).</p></section>"
        : .none
    }
    let folded: HTML =
      others.isEmpty
      ? .none
      : """
      <details><summary class="quiet">Equally frequent in other groups of the same releases</summary>\
      \(table(others))</details>
      """
    return """
      <section><h2>Unusual</h2>
      <p class="quiet">Significantly more frequent here than in the rest of \(PageText.reports(of: group.app)). Each person counts once \
      per build.</p>
      \(own.isEmpty ? .none : table(own))\(folded)</section>
      """
  }

  private func table(_ items: [Correlation]) -> HTML {
    let rows = items.prefix(Self.mostUnusual).map { item -> HTML in
      let synonyms: HTML =
        item.synonyms.isEmpty
        ? .none : "<div class=\"quiet small\">also \(item.synonyms.joined(separator: " "))</div>"
      let (some, all) = (item.cases + item.otherCases, item.allCases + item.allOtherCases)
      return """
        <tr><td><span class="quiet">\(item.field)</span> <b>\(item.value)</b>\(synonyms)</td>\
        \(bar(item.cases, of: item.allCases))<td class="number" title="\(PageText.number(some)) of \(PageText.number(all))">\
        \(Percent.text(some, of: all))</td></tr>
        """
    }
    return """
      <table><tr><th>Value</th><th><span class="hidden">Bar</span></th><th class="number">Here</th><th class="number">\(group.app)</th></tr>\
      \(Array(rows))</table>
      """
  }
}

extension TagDistribution {
  /// Whether all reports that were looked at have the tag with the same value.
  fileprivate var hasOneValue: Bool {
    values.others == 0 && values.top.count == 1 && values.top.first?.name.isEmpty == false
      && values.top.first?.reports == reports
  }
}
