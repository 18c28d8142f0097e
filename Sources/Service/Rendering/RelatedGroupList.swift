internal import Bytes
package import CrashStore
internal import Likeness

/// Similar groups, one per line.
package struct RelatedGroupList {
  package let groups: [RelatedGroup]

  package init(groups: [RelatedGroup]) { self.groups = groups }

  package func lines(width: Int, styles: Styles) -> [String] {
    let hasDistinct = groups.contains(where: \.isDistinct)
    var table = TextTable(
      [
        .text("GROUP"), .number("LIKENESS"), .text("FRAMES", .atStart), .number("REPORTS"),
      ] + (hasDistinct ? [.text("MARK")] : []) + [.text("SIGNATURE", .atEnd)])
    for group in groups {
      table.add(
        [
          group.id.printable, group.likenessText, "\(group.matchedFrames) of \(group.frames)",
          String(group.reports),
        ] + (hasDistinct ? [group.isDistinct ? "distinct" : ""] : []) + [group.title.printable])
    }
    return table.lines(width: width, styles: styles)
  }
}

extension RelatedGroup {
  /// `.87`.
  package var likenessText: String {
    Likeness(millionths: millionths, matchedFrames: matchedFrames).text
  }
}
