import Bytes
import CrashModel
import CrashStore
import JSON
import UnwindRules

/// Debug files that are kept, a line each.
struct DebugFileList {
  let files: [DebugFileRecord]

  func lines(width: Int, styles: Styles) -> [String] {
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

  /// - Parameter unwind: Its unwind rules; `nil` where they cannot be told.
  static func details(
    of file: DebugFileRecord, unwind: UnwindRules?, styles: Styles
  ) -> [String] {
    let rows = [
      ("Name", file.name), ("Arch", file.architecture.description), ("Kind", file.kind),
      ("Size", "\(file.size) bytes"), ("Debug id", file.debugID.description),
      ("Breakpad", file.debugID.breakpadText),
      ("Code id", file.codeID?.description ?? ""), ("Digest", file.digest),
      ("Unwind", unwind.map(Self.unwind) ?? ""), ("Added", ReportFacts.time(file.added)),
    ]
    return rows.filter { !$0.1.isEmpty }.map { label, value in
      styles.dim(label.padded(to: 10)) + value.printable
    }
  }

  /// `25118 rows from eh_frame, 204.1 kB`
  private static func unwind(_ rules: UnwindRules) -> String {
    guard rules.rowCount > 0 else { return "no rules" }
    let sources = rules.sources.names.joined(separator: ", ")
    return "\(rules.rowCount) \(rules.rowCount == 1 ? "row" : "rows") from \(sources), "
      + size(rules.bytes.count)
  }

  /// `512 B`, `3.4 MB`: powers of a thousand.
  static func size(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) B" }
    var value = Double(bytes)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 1000 || unit == "GB" { return "\(Double(Int(value * 10)) / 10) \(unit)" }
    }
    return "\(bytes) B"
  }
}

extension JSONWriter {
  mutating func write(_ file: DebugFileRecord) {
    beginObject()
    writeMembers(of: file)
    endObject()
  }

  /// - Parameter unwind: Its unwind rules; `nil` where they cannot be told.
  mutating func write(_ file: DebugFileRecord, unwind: UnwindRules?) {
    beginObject()
    writeMembers(of: file)
    if let unwind {
      key("unwind")
      beginObject()
      member("rows", unwind.rowCount)
      member("size", unwind.bytes.count)
      key("sources")
      beginArray()
      for name in unwind.sources.names { string(name) }
      endArray()
      endObject()
    }
    endObject()
  }

  private mutating func writeMembers(of file: DebugFileRecord) {
    member("debug_id", file.debugID.description)
    member("code_id", file.codeID?.description)
    member("name", file.name)
    member("arch", file.architecture.description)
    member("kind", file.kind)
    member("size", file.size)
    member("digest", file.digest)
    member("added", file.added.description)
  }
}
