import Bytes
import CrashClient
import Identifiers
import JSON
import Rendering

/// A debug file as `symbols show` prints it, from its document, which may come from a server.
struct DebugFileText {
  private let file: DecodedResponse

  init(_ document: JSONValue) { file = DecodedResponse(document) }

  /// Its kind, then its contents.
  ///
  /// - Throws: ``CommandFailure`` for anything that isn't such a document.
  func details() throws -> [(String, String)] {
    let debugID = try file.maybeText("debug_id")
    var rows: [(String, String?)] = [
      ("Name", try file.maybeText("name")), ("Arch", try file.maybeText("arch")),
      ("Kind", try file.maybeText("kind")), ("Format", try file.maybeText("format")),
      ("Size", "\(try file.maybeCount("size") ?? 0) bytes"), ("Debug id", debugID),
      ("Breakpad", debugID.flatMap { DebugID($0) }?.breakpadText),
      ("Code id", try file.maybeText("code_id")), ("Digest", try file.maybeText("digest")),
    ]
    if let modules = try file.maybePart("modules") {
      let counted = Counted(one: "module", many: "modules")
      rows.append(("Language", counted.text(try names(modules, "languages", "modules"))))
      rows += counted.rows("Producer", try names(modules, "producers", "modules"))
    }
    if let dwarf = try file.maybePart("dwarf") { rows += try details(of: dwarf) }
    if let mapping = try file.maybePart("mapping") {
      let compiler = [
        try mapping.maybeText("compiler"), try mapping.maybeText("compiler_version"),
      ]
      rows.append(("Producer", compiler.compactMap(\.self).joined(separator: " ")))
      rows.append(("Map id", try mapping.maybeText("map_id")))
      rows.append(("Contains", "\(try mapping.count("classes")) classes"))
    }
    if let contents = try file.maybePart("contains") {
      rows.append(("Contains", try Self.contents(contents)))
      rows.append(("Sources", try Self.sources(contents)))
    }
    if let unwind = try file.maybePart("unwind") {
      rows.append(("Unwind", try Self.unwind(unwind)))
    }
    if let cache = try file.maybePart("cache") {
      rows.append(
        (
          "Cache",
          "\(DebugFileList.size(try cache.count("size"))), made in "
            + "\(try cache.count("milliseconds")) ms"
        ))
    }
    rows.append(("Added", try file.maybeTime("added").map(ReportFacts.time)))
    return rows.compactMap { label, text in text.flatMap { $0.isEmpty ? nil : (label, $0) } }
  }

  func lines(styles: Styles, width: Int) throws -> [String] {
    let indent = 10
    return try details().flatMap { label, value in
      let lines = value.printable.lines(of: max(width - indent, 1))
      return lines.enumerated().map { index, line in
        styles.dim((index == 0 ? label : "").padded(to: indent)) + line
      }
    }
  }

  private func names(
    _ part: DecodedResponse, _ list: String, _ count: String
  ) throws -> [(String, Int)] {
    try part.list(list) { (try $0.text("name"), try $0.count(count)) }
  }

  private func details(of dwarf: DecodedResponse) throws -> [(String, String?)] {
    let units = Counted(one: "unit", many: "units")
    let versions = try dwarf.list("versions") {
      ("version \(try $0.count("version"))", try $0.count("units"))
    }
    var rows: [(String, String?)] = [
      ("DWARF", units.text(versions) + (try dwarf.flag("is_64_bit") ? ", 64-bit" : "")),
      ("Language", units.text(try names(dwarf, "languages", "units"))),
    ]
    rows += units.rows("Producer", try names(dwarf, "producers", "units"))
    if let files = try dwarf.maybeCount("split_files") {
      let count = try dwarf.count("split_units")
      rows.append(
        (
          "Split",
          "\(count) \(count == 1 ? "unit goes" : "units go") on in other files, "
            + (files == 0 ? "none stored" : "\(files) here")
        ))
    }
    return rows
  }

  /// `812 functions, 2301 inlined calls, 40210 lines, 1022 symbols`
  private static func contents(_ part: DecodedResponse) throws -> String {
    try [
      ("functions", "function", "functions"), ("inlined_calls", "inlined call", "inlined calls"),
      ("lines", "line", "lines"), ("symbols", "symbol", "symbols"),
    ].map { name, one, many in
      let count = try part.count(name)
      return "\(count) \(count == 1 ? one : many)"
    }.joined(separator: ", ")
  }

  private static func sources(_ part: DecodedResponse) throws -> String {
    let (embedded, checksums) = (try part.count("sources"), try part.count("source_checksums"))
    var parts: [String] = []
    if embedded > 0 { parts.append("\(embedded) in the file") }
    if checksums > 0 { parts.append("checksums of \(checksums)") }
    return parts.isEmpty ? "none in the file" : parts.joined(separator: ", ")
  }

  private static func unwind(_ part: DecodedResponse) throws -> String {
    DebugFileList.unwind(
      rows: try part.count("rows"), sources: try part.texts("sources"),
      bytes: try part.count("size"))
  }
}

/// Values, each with the number of units that have it.
private struct Counted {
  let one: String
  let many: String

  /// `C++17 (12 units), C11 (1 unit)`
  func text(_ values: [(String, Int)]) -> String {
    values.map { "\($0) (\($1) \($1 == 1 ? one : many))" }.joined(separator: ", ")
  }

  /// One per line, since they are long; the three most frequent.
  func rows(_ label: String, _ values: [(String, Int)]) -> [(String, String?)] {
    let shown = 3
    var rows: [(String, String?)] = values.prefix(shown).map { (label, text([$0])) }
    if values.count > shown { rows.append((label, "and \(values.count - shown) more")) }
    return rows
  }
}
