internal import Bytes
internal import CrashModel
package import CrashService
internal import Identifiers

/// The images of a report with frames, one per line. A debug id is useful only in full, so on a narrow
/// terminal other columns give way to it.
package struct ImageTable {
  package let summary: ImageSummary
  package var styles = Styles.plain

  package func lines(width: Int, indent: Int) -> [String] {
    let id = summary.used.map { $0.image.debugID?.description.columns ?? 0 }.max() ?? 0
    // The name, verdict and id with the gaps between them; then architecture and frames.
    let needed = indent + 8 + 2 + 8 + 2 + id
    let hasID = width >= needed
    let hasAll = width >= needed + 2 + 8 + 2 + 6
    var table = TextTable(
      [.text("IMAGE", .atEnd)] + (hasAll ? [.text("ARCH", .atEnd)] : [])
        + (hasAll || !hasID ? [.number("FRAMES")] : []) + [.text("SYMBOLS")]
        + (hasID ? [.text("DEBUG ID")] : []))
    for entry in summary.used {
      let image = entry.image
      let frames = String(entry.frames)
      table.add(
        [image.name.printable]
          + (hasAll ? [image.architecture?.description.printable ?? ""] : [])
          + (hasAll || !hasID ? [frames] : []) + [image.symbols?.short ?? ""]
          + (hasID ? [image.debugID?.description ?? ""] : []),
        style: { [styles, isOwn = entry.isOwn] in
          image.symbols?.styled($0, styles, isOwn: isOwn) ?? (isOwn ? $0 : styles.dim($0))
        })
    }
    return table.lines(width: width, styles: styles, indent: indent)
  }
}
