import Bytes
import CrashModel
import CrashStore
import JSON
import ObjectFormats
import SymbolCache
import SymbolSources
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

  /// `25118 rows from eh_frame, 204.1 kB`
  static func unwind(rows: Int, sources: [String], bytes: Int) -> String {
    guard rows > 0 else { return "no rules" }
    return "\(rows) \(rows == 1 ? "row" : "rows") from \(sources.joined(separator: ", ")), "
      + size(bytes)
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

  mutating func write(_ shown: ShownDebugFile) {
    beginObject()
    if let record = shown.record {
      writeMembers(of: record, isStored: shown.isStored)
    } else if let file = shown.file {
      member("code_id", file.codeID?.description)
      member("name", file.name)
      member("arch", file.architecture.description)
      member("size", file.fileBytes.count)
      member("digest", file.digest)
    } else if let supplementary = shown.supplementary {
      member("name", supplementary.name)
      member("arch", supplementary.object.architecture.description)
      member("kind", supplementary.kind.rawValue)
      member("size", supplementary.fileBytes.count)
      member("digest", supplementary.digest)
    }
    member("format", shown.object?.container.rawValue)
    if let dwarf = shown.splitUnits { writeMembers(of: dwarf) }
    if let facts = shown.facts {
      writeMembers(of: facts, splitFiles: shown.file?.supplementaryFiles.count ?? 0)
    }
    if let unwind = shown.unwind {
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

  private mutating func writeMembers(of dwarf: ObjectFacts.DWARFFacts, splitFiles: Int? = nil) {
    key("dwarf")
    beginObject()
    member("units", dwarf.unitCount)
    member("split_units", dwarf.skeletonCount)
    if dwarf.skeletonCount > 0 { member("split_files", splitFiles) }
    member("is_64_bit", dwarf.hasWideUnits)
    key("versions")
    beginArray()
    for (version, units) in dwarf.versions {
      beginObject()
      member("version", version)
      member("units", units)
      endObject()
    }
    endArray()
    write("languages", dwarf.languages.map { ($0.name, $0.units) }, of: "units")
    write("producers", dwarf.producers.map { ($0.name, $0.units) }, of: "units")
    endObject()
  }

  private mutating func writeMembers(of facts: ObjectFacts, splitFiles: Int) {
    if let dwarf = facts.dwarf { writeMembers(of: dwarf, splitFiles: splitFiles) }
    if let modules = facts.modules {
      key("modules")
      beginObject()
      member("count", modules.moduleCount)
      write("languages", modules.languages.map { ($0.name, $0.modules) }, of: "modules")
      write("producers", modules.producers.map { ($0.name, $0.modules) }, of: "modules")
      endObject()
    }
    key("contains")
    beginObject()
    member("functions", facts.functions)
    member("inlined_calls", facts.inlinedCalls)
    member("lines", facts.lines)
    member("symbols", facts.symbols)
    member("sources", facts.embeddedSources)
    member("source_checksums", facts.sourceChecksums)
    endObject()
    key("cache")
    beginObject()
    member("size", facts.cacheSize)
    member("milliseconds", facts.milliseconds)
    endObject()
  }

  private mutating func write(
    _ name: String, _ counts: [(String, Int)], of parts: String
  ) {
    key(name)
    beginArray()
    for (name, count) in counts {
      beginObject()
      member("name", name)
      member(parts, count)
      endObject()
    }
    endArray()
  }

  private mutating func writeMembers(of file: DebugFileRecord, isStored: Bool = true) {
    member("debug_id", file.debugID.description)
    member("code_id", file.codeID?.description)
    member("name", file.name)
    member("arch", file.architecture.description)
    member("kind", file.kind)
    member("size", file.size)
    member("digest", file.digest)
    if isStored { member("added", file.added.description) }
  }
}
