internal import Bytes
package import CrashStore
internal import Identifiers

/// Releases in order, one per line.
package struct ReleaseList {
  package let releases: [ReleaseRecord]

  package init(releases: [ReleaseRecord]) { self.releases = releases }

  package func lines(width: Int, styles: Styles) -> [String] {
    let hasApps = Set(releases.map(\.app)).count > 1
    let isPlaced = releases.contains(where: \.isPlaced)
    var table = TextTable(
      (hasApps ? [.text("APP", .atEnd)] : []) + [
        .text("RELEASE", .atEnd), .number("REPORTS"), .text("FIRST SEEN"), .text("LAST SEEN"),
      ] + (isPlaced ? [.text("PLACE")] : []))
    for record in releases {
      table.add(
        (hasApps ? [record.app.printable] : []) + [
          record.release.name.printable, String(record.reports),
          record.firstSeen.map(GroupText.day) ?? "", record.lastSeen.map(GroupText.day) ?? "",
        ] + (isPlaced ? [record.isPlaced ? "set" : "by number"] : []),
        style: record.reports == 0 ? styles.dim : nil)
    }
    return table.lines(width: width, styles: styles)
  }
}
