internal import Bytes
internal import CrashService
package import CrashStore

/// The keys of a group, one per line.
package struct KeyList {
  package let keys: [GroupKey]

  /// The number of digits that distinguish keys in practice.
  private static let shownDigits = 12

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("KEY"), .number("REPORTS"), .text("VERSIONS", .atStart), .text("SIGNATURE", .atEnd),
    ])
    for key in keys {
      let versions = [key.versions.first, key.versions.last].compactMap { $0 }
      let range = Set(versions).count == 1 ? versions[0] : versions.joined(separator: " … ")
      table.add([
        String(key.key.prefix(Self.shownDigits)).printable, String(key.reports), range.printable,
        key.signature.printable,
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  package init(keys: [GroupKey]) {
    self.keys = keys
  }
}
