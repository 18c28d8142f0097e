internal import TriageModel
internal import APIDocuments
internal import Bytes
internal import CrashService
package import CrashStore
internal import Identifiers
internal import Updates

/// The figures of a release, as text.
package struct ReleaseFiguresText {
  package let figures: ReleaseFigures
  /// The number of days of adoption shown.
  private static let days = 14
  /// The number of columns of a fact's name.
  private static let margin = 15

  package init(figures: ReleaseFigures) { self.figures = figures }

  package func lines(width: Int, styles: Styles) -> [String] {
    let name = "\(figures.app) \(figures.release.name)".printable
    return [styles.strong(name.truncated(to: width)), ""] + facts(width)
      + groups("New groups", figures.newGroups, width, styles)
      + groups("Regressions", figures.regressions, width, styles)
      + groups("Fixed groups", figures.fixedGroups, width, styles)
      + missing(width, styles) + artefacts(width, styles) + rollouts(width, styles)
      + downloads(width, styles) + history(width, styles) + adoption(width, styles)
  }

  // MARK: Facts

  private func facts(_ width: Int) -> [String] {
    var reports = "none"
    if figures.reports > 0 {
      reports = "\(figures.reports) in \(GroupText.count(figures.groups, "group", "groups"))"
      if let first = figures.firstSeen, let last = figures.lastSeen {
        reports += ", from \(GroupText.day(first)) to \(GroupText.day(last))"
      }
    }
    let counts = figures.crashFree
    let days = "\(GroupText.day(figures.days.first)) to \(GroupText.day(figures.days.last))"
    let older = figures.areReportsOlder ? ", after all of its reports" : ""
    let others = CrashFreeText.others(of: counts).map { fact("", $0, width) } ?? []
    return fact("Reports", reports, width)
      + (figures.release.build.isEmpty && !figures.builds.isEmpty
        ? fact("Builds", figures.builds.joined(separator: ", "), width) : [])
      + fact("All users", String(figures.installs), width)
      + fact(
        "Sessions",
        Self.rate(
          counts.sessionRate, counts.sessionGap, crashed: counts.crashedSessions,
          of: counts.sessions), width)
      + fact(
        "Users",
        Self.rate(
          counts.userRate, counts.userGap, crashed: counts.crashedInstalls, of: counts.installs),
        width)
      + others
      + fact("", "\(days)\(older); \(AppCrashFree.formula)", width)
      + (figures.knownFixAnswers > 0
        ? fact(
          "Known fixes", "answers to clients that it fixes their crash: \(figures.knownFixAnswers)",
          width)
        : [])
  }

  private static func rate(
    _ rate: Double?, _ gap: String?, crashed: Int, of all: Int
  ) -> String {
    let counts = "\(crashed) of \(all) crashed"
    if let gap { return "\(counts); no rate: \(gap)" }
    return "\(CrashFreeText.percent(rate)) crash-free: \(counts)"
  }

  private func fact(_ name: String, _ text: String, _ width: Int) -> [String] {
    text.printable.lines(of: max(20, width - Self.margin)).enumerated().map { number, line in
      (number == 0 ? name : "").padded(to: Self.margin) + line
    }
  }

  // MARK: Lists

  private func groups(
    _ title: String, _ top: ReleaseFigures.TopItems<ReleaseFigures.Group>, _ width: Int,
    _ styles: Styles
  ) -> [String] {
    guard top.total > 0 else { return [] }
    var table = TextTable([
      .text("GROUP"), .number("REPORTS"), .text("STATUS"), .text("SIGNATURE", .atEnd),
    ])
    for group in top.items {
      table.add([
        group.id.printable, String(group.reports), group.state.rawValue, group.signature.printable,
      ])
    }
    return head(title, top.total, styles) + table.lines(width: width, styles: styles, indent: 2)
      + more(top.total - top.items.count, styles)
  }

  private func missing(_ width: Int, _ styles: Styles) -> [String] {
    let top = figures.missing
    guard top.total > 0 else { return [] }
    var table = TextTable([
      .text("IMAGE", .atEnd), .text("ARCH"), .number("REPORTS"), .text("DEBUG ID"),
    ])
    for image in top.items {
      table.add([
        image.name.isEmpty ? "(no name)" : image.name.printable,
        image.architecture?.description.printable ?? "", String(image.reports),
        image.debugID?.description ?? "no build id",
      ])
    }
    return head("Missing debug files", top.total, styles)
      + table.lines(width: width, styles: styles, indent: 2)
      + more(top.total - top.items.count, styles)
  }

  private func artefacts(_ width: Int, _ styles: Styles) -> [String] {
    guard !figures.artefacts.isEmpty else { return [] }
    var table = TextTable([
      .number("NUMBER"), .text("FILE", .atEnd), .number("SIZE"), .text("BUILD"),
      .text("UPLOADED"), .text("STATUS"),
    ])
    for artefact in figures.artefacts {
      table.add([
        String(artefact.number), artefact.fileName.printable, DebugFileList.size(artefact.size),
        artefact.release.build.printable, GroupText.day(artefact.uploaded),
        !artefact.isEnabled ? "disabled" : artefact.destinations.isEmpty ? "-" : "published",
      ])
    }
    return head("Files", figures.artefacts.count, styles)
      + table.lines(width: width, styles: styles, indent: 2)
  }

  private func rollouts(_ width: Int, _ styles: Styles) -> [String] {
    guard !figures.rollouts.isEmpty else { return [] }
    return ["", styles.strong("Roll-out")]
      + RolloutList(builds: figures.rollouts).lines(width: width, styles: styles, indent: 2)
  }

  private func downloads(_ width: Int, _ styles: Styles) -> [String] {
    let figures = self.figures.distribution
    guard !figures.groups.isEmpty else { return [] }
    var groups = TextTable([.text("GROUP", .atEnd), .number("DOWNLOADS"), .number("INSTALLS")])
    for group in figures.groups {
      groups.add([
        group.name?.printable ?? "(no group)", String(group.downloads), String(group.installs),
      ])
    }
    var lines =
      head("Downloads", figures.downloads, styles)
      + groups.lines(width: width, styles: styles, indent: 2)
    let days = figures.totals.suffix(Self.days)
    guard !days.isEmpty else { return lines }
    var table = TextTable([.text("DAY"), .number("DOWNLOADS"), .number("INSTALLS")])
    for day in days {
      table.add([GroupText.day(day.start), String(day.downloads), String(day.installs)])
    }
    lines += [""] + table.lines(width: width, styles: styles, indent: 2)
    return lines
  }

  private func history(_ width: Int, _ styles: Styles) -> [String] {
    guard !figures.history.isEmpty else { return [] }
    return ["", styles.strong("History")]
      + figures.history.flatMap { event -> [String] in
        let text =
          "\(GroupText.day(event.time))  \(event.author): \(event.kind.rawValue)"
          + (event.detail.isEmpty ? "" : " \(event.detail)")
        return text.printable.lines(of: max(20, width - 4)).enumerated().map { number, line in
          (number == 0 ? "  " : "    ") + line
        }
      }
  }

  private func adoption(_ width: Int, _ styles: Styles) -> [String] {
    let days = figures.adoption.suffix(Self.days)
    guard !days.isEmpty else { return [] }
    var table = TextTable([
      .text("DAY"), .number("SESSIONS"), .number("OF ALL"), .number("SHARE"), .number("USERS"),
      .number("OF ALL"), .number("SHARE"),
    ])
    for day in days {
      table.add([
        GroupText.day(day.start), String(day.sessions), String(day.allSessions),
        Self.share(day.sessions, of: day.allSessions), String(day.installs),
        String(day.allInstalls), Self.share(day.installs, of: day.allInstalls),
      ])
    }
    return ["", styles.strong("Adoption")] + table.lines(width: width, styles: styles, indent: 2)
  }

  /// Returns a share in percent; `-` for a day without any.
  private static func share(_ part: Int, of all: Int) -> String {
    guard all > 0 else { return "-" }
    let tenths = Int(Double(part) / Double(all) * 1000 + 0.5)
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private func head(_ title: String, _ total: Int, _ styles: Styles) -> [String] {
    ["", styles.strong("\(title) (\(total))")]
  }

  private func more(_ count: Int, _ styles: Styles) -> [String] {
    count > 0 ? [styles.dim("  and \(count) more")] : []
  }
}
