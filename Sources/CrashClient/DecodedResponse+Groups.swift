package import CrashService
package import CrashModel
package import CrashStore
internal import ReportDocument

/// Groups and reports, as the writers of JSON write them.
extension GroupSummary {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      id: try answer.text("id"), app: try answer.text("app"),
      signature: Signature(
        text: try answer.text("signature"), key: try answer.text("hash"),
        category: try answer.word("category"), rules: try answer.text("rules"),
        isProvisional: try answer.flag("provisional")),
      reason: try answer.maybeText("reason"), kind: try answer.word("kind"),
      status: try GroupStatus(answer), assignee: try answer.maybeText("assignee"),
      merged: try answer.maybeTexts("merged") ?? [], reports: try answer.count("reports"),
      installs: try answer.maybeCount("installs"), firstSeen: try answer.maybeTime("first_seen"),
      lastSeen: try answer.maybeTime("last_seen"),
      versions: try answer.list("versions") { version in
        VersionCount(
          version: try version.text("version"), reports: try version.count("reports"))
      }, exemplar: try answer.text("exemplar"))
  }
}

extension GroupStatus {
  fileprivate init(_ answer: DecodedResponse) throws {
    self.init(
      try answer.word("state"), time: try answer.maybeTime("state_since"),
      author: try answer.maybeText("state_by"),
      fix: try answer.maybePart("fixed").map { fix in
        GroupFix(
          try fix.word("how"),
          try fix.maybeText("version").map { version in
            Release(version: version, build: try fix.maybeText("build") ?? "")
          })
      },
      ignore: try answer.maybePart("ignored_until").map { ignored in
        IgnoreCondition(
          reports: try ignored.maybeCount("reports"), users: try ignored.maybeCount("users"),
          until: try ignored.maybeTime("time"))
      })
  }
}

extension GroupOverview {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      group: try GroupSummary(answer),
      breakdown: try answer.maybePart("breakdown").map { try GroupBreakdown($0) },
      recent: try answer.maybeList("recent") { try ReportSummary($0) } ?? [],
      history: try answer.list("history") { try GroupEvent($0) },
      exemplar: try answer.maybePart("report").map { try StoredReport($0.value) })
  }
}

extension GroupBreakdown {
  fileprivate init(_ answer: DecodedResponse) throws {
    self.init(
      reportsOfApp: try answer.count("reports_of_app"),
      versions: try answer.list("versions") { version in
        Version(
          name: try version.text("version"), reports: try version.count("reports"),
          firstDay: try version.day("first_day"), lastDay: try version.day("last_day"))
      }, systems: try Ranking(answer.part("systems")), devices: try Ranking(answer.part("devices")),
      days: try answer.list("days") { day in
        Day(start: try day.day("day"), reports: try day.count("reports"))
      })
  }
}

extension GroupBreakdown.Ranking {
  fileprivate init(_ answer: DecodedResponse) throws {
    self.init(
      top: try answer.list("top") { share in
        GroupBreakdown.Share(
          name: try share.text("name"), reports: try share.count("reports"))
      }, others: try answer.count("others"),
      reportsOfOthers: try answer.count("reports_of_others"))
  }
}

extension GroupEvent {
  fileprivate init(_ answer: DecodedResponse) throws {
    self.init(
      number: try answer.count("number"), group: try answer.text("group"),
      time: try answer.time("time"), author: try answer.text("author"),
      event: try answer.text("event"), detail: try answer.text("detail"),
      undone: try answer.maybeCount("undone"), isAction: try answer.flag("can_undo"))
  }
}

extension ReportSummary {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      id: try answer.text("id"), group: try answer.text("group"), app: try answer.text("app"),
      format: ReportFormat(try answer.text("format")), kind: try answer.word("kind"),
      time: try answer.time("time"), received: try answer.time("received"),
      version: try answer.maybeText("version"), build: try answer.maybeText("build"),
      os: try answer.maybeText("os"), device: try answer.maybeText("device"),
      reason: try answer.maybeText("reason"), signature: try answer.text("signature"),
      symbols: try SymbolCoverage(answer), source: try answer.text("source"))
  }
}

extension SymbolCoverage {
  fileprivate init(_ answer: DecodedResponse) throws {
    switch try answer.text("symbols") {
    case SymbolCoverage.full.description: self = .full
    case SymbolCoverage.partial.description: self = .partial
    default: self = .missing
    }
  }
}

extension GroupKey {
  package init(_ answer: DecodedResponse) throws {
    self.init(
      key: try answer.text("key"), signature: try answer.text("signature"),
      reports: try answer.count("reports"), versions: try answer.texts("versions"))
  }
}

extension Explanation.Membership {
  /// - Parameter answer: What the server says of the place of a report.
  package init(_ answer: DecodedResponse) throws {
    let found = try answer.part("found")
    self.init(
      place: ReportMembership(
        group: try answer.text("group"), home: try answer.text("home"),
        found: FoundBy(word: try found.text("by"), detail: try found.maybeText("detail")),
        splitFrom: try answer.maybeText("split_from"), rule: try answer.maybeText("split_rule")),
      ownerOfKey: try answer.maybeText("owner_of_key"))
  }
}
