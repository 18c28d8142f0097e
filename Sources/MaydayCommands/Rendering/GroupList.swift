import CrashModel

/// The groups of an app, a line each.
struct GroupList {
  let groups: [GroupSummary]

  func lines(width: Int, styles: Styles) -> [String] {
    let hasState = groups.contains { $0.state != .open }
    var table = TextTable(
      [.text("GROUP"), .number("REPORTS"), .text("LAST SEEN"), .text("VERSIONS", .atStart)]
        + (hasState ? [.text("STATE")] : []) + [.text("SIGNATURE", .atEnd)])
    for group in groups {
      let text = group.signature.text.printable
      table.add(
        [
          group.id.printable, String(group.reports), group.lastSeen.map(GroupText.day) ?? "",
          GroupText.range(group.versions).truncatedAtStart(to: 16),
        ] + (hasState ? [group.state.rawValue] : []) + [text],
        style: group.state == .resolved || group.state == .ignored ? styles.dim : nil)
    }
    return table.lines(width: width, styles: styles)
  }
}
