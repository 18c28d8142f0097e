internal import Bytes
internal import CrashModel
package import CrashStore
package import JSON
internal import ObjectFormats
internal import SymbolCache
internal import SymbolSources
internal import UnwindRules

extension JSONWriter {
  package mutating func write(_ file: DebugFileRecord) {
    beginObject()
    writeMembers(of: file)
    endObject()
  }

  package mutating func write(_ shown: ShownDebugFile) {
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
