internal import Bytes
internal import CrashService
package import CrashStore
internal import Identifiers
internal import JSON
internal import ObjectFormats
internal import SymbolCache
internal import SymbolSources
internal import UnwindRules

/// Stored debug files, one per line.
package struct DebugFileList {
  package let files: [DebugFileRecord]

  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("NAME", .atEnd), .text("ARCH"), .text("KIND"), .number("SIZE"),
      .text("DEBUG ID"),
    ])
    for file in files {
      table.add([
        file.name.printable, file.architecture.description.printable, file.kind.printable,
        Self.size(file.size), file.debugID.description,
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  /// `25118 rows from eh_frame, 204.1 kB`
  package static func unwind(rows: Int, sources: [String], bytes: Int) -> String {
    guard rows > 0 else { return "no rules" }
    return "\(rows) \(rows == 1 ? "row" : "rows") from \(sources.joined(separator: ", ")), "
      + size(bytes)
  }

  /// `512 B`, `3.4 MB`: powers of a thousand.
  package static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 1000 || unit == "GB" { return "\(Double(Int(value * 10)) / 10) \(unit)" }
    }
    return "\(bytes) B"
  }

  package init(files: [DebugFileRecord]) {
    self.files = files
  }
}
