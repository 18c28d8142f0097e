internal import Bytes
internal import CrashStore
package import Documents
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache
internal import SymbolSources
internal import UnwindRules

extension ShownDebugFile: Documented {
  package static let declaration = DocumentType<ShownDebugFile>(writing: "DebugFileFacts") {
    DocumentMember(
      "debug_id", derivedOptional: { $0.record?.debugID ?? $0.mapping?.debugID }, .debugID)
    DocumentMember(
      "code_id", derivedOptional: { $0.record == nil ? $0.file?.codeID : $0.record?.codeID },
      .codeID)
    DocumentMember("name", derived: { $0.name }, .text, example: "Tern.debug")
    DocumentMember("arch", derived: { $0.architecture }, .architecture)
    DocumentMember(
      "kind",
      derivedOptional: {
        $0.record?.kind ?? $0.supplementary?.kind.rawValue ?? $0.mapping?.kind.rawValue
      },
      .debugFileKind)
    DocumentMember("size", derived: { $0.size }, .count, "Bytes.")
    DocumentMember("digest", derived: { $0.digest }, .text, "The SHA-256 of the file.")
    DocumentMember(
      "added", derivedOptional: { $0.isStored ? $0.record?.added : nil }, .time,
      "Only for stored files.")
    DocumentMember("format", derivedOptional: { $0.object?.container }, .word, "The container.")
    DocumentMember(
      "dwarf", derivedOptional: { DWARFDocument($0) }, .object(DWARFDocument.declaration))
    DocumentMember(
      "modules", derivedOptional: { $0.facts?.modules }, .object(modules), "Of a PDB.")
    DocumentMember("mapping", derivedOptional: { $0.mappingFacts }, .object(mapping))
    DocumentMember("contains", derivedOptional: { $0.facts }, .object(contents))
    DocumentMember(
      "cache", derivedOptional: { $0.facts }, .object(cache), "The symbol cache made of it.")
    DocumentMember("unwind", derivedOptional: { $0.unwind }, .object(unwindRules))
  }

  private var name: String {
    record?.name ?? file?.name ?? supplementary?.name ?? mapping?.name ?? ""
  }

  private var architecture: Architecture {
    record?.architecture ?? object?.architecture ?? mapping?.architecture ?? Architecture("")
  }

  private var size: Int {
    record?.size ?? file?.fileBytes.count ?? supplementary?.fileBytes.count
      ?? mapping?.fileBytes.count ?? 0
  }

  private var digest: String {
    record?.digest ?? file?.digest ?? supplementary?.digest ?? mapping?.digest ?? ""
  }

  private static let mapping = DocumentType<MappingFile.Facts>(writing: "DebugFileMapping") {
    DocumentMember("compiler", derivedOptional: { $0.compiler }, .text, example: "R8")
    DocumentMember("compiler_version", derivedOptional: { $0.compilerVersion }, .text)
    DocumentMember(
      "map_id", derivedOptional: { $0.mapID }, .text, "The mapping's id in the build.",
      example: "48ffd94")
    DocumentMember("classes", derived: { $0.classes }, .count)
  }

  private static let contents = DocumentType<ObjectFacts>(writing: "DebugFileContents") {
    DocumentMember("functions", derived: { $0.functions }, .count)
    DocumentMember("inlined_calls", derived: { $0.inlinedCalls }, .count)
    DocumentMember("lines", derived: { $0.lines }, .count)
    DocumentMember("symbols", derived: { $0.symbols }, .count)
    DocumentMember("sources", derived: { $0.embeddedSources }, .count)
    DocumentMember("source_checksums", derived: { $0.sourceChecksums }, .count)
  }

  private static let cache = DocumentType<ObjectFacts>(writing: "DebugFileCache") {
    DocumentMember("size", derived: { $0.cacheSize }, .count, "Bytes.")
    DocumentMember("milliseconds", derived: { $0.milliseconds }, .count, "The time it took.")
  }

  private static let modules = DocumentType<ObjectFacts.ModuleFacts>(writing: "DebugFileModules") {
    DocumentMember("count", derived: { $0.moduleCount }, .count)
    DocumentMember(
      "languages", derived: { $0.languages.map { NamedCount($0.name, $0.modules) } },
      .list(.object(NamedCount.ofModules)))
    DocumentMember(
      "producers", derived: { $0.producers.map { NamedCount($0.name, $0.modules) } },
      .list(.object(NamedCount.ofModules)))
  }

  private static let unwindRules = DocumentType<UnwindRules>(writing: "DebugFileUnwindRules") {
    DocumentMember("rows", derived: { $0.rowCount }, .count)
    DocumentMember("size", derived: { $0.bytes.count }, .count, "Bytes.")
    DocumentMember(
      "sources", derived: { $0.sources.names }, .list(.text), example: ["eh_frame"])
  }
}

/// The DWARF of a file.
private struct DWARFDocument: Documented {
  let facts: ObjectFacts.DWARFFacts
  /// The number of files with the units' further debug information that are stored.
  let splitFiles: Int?

  /// Creates the document; `nil` for a file without DWARF.
  init?(_ shown: ShownDebugFile) {
    if let facts = shown.splitUnits {
      self.facts = facts
      splitFiles = nil
    } else if let facts = shown.facts?.dwarf {
      self.facts = facts
      splitFiles =
        facts.skeletonCount > 0 ? shown.file?.supplementaryFiles.count ?? 0 : nil
    } else {
      return nil
    }
  }

  static let declaration = DocumentType<DWARFDocument>(writing: "DebugFileDWARF") {
    DocumentMember("units", derived: { $0.facts.unitCount }, .count)
    DocumentMember(
      "split_units", derived: { $0.facts.skeletonCount }, .count,
      "Units that continue in other files.")
    DocumentMember(
      "split_files", derivedOptional: { $0.splitFiles }, .count, "The number of stored ones.")
    DocumentMember("is_64_bit", derived: { $0.facts.hasWideUnits }, .flag)
    DocumentMember(
      "versions", derived: { $0.facts.versions.map { DWARFVersion($0.version, $0.units) } },
      .list(.object(DWARFVersion.declaration)))
    DocumentMember(
      "languages", derived: { $0.facts.languages.map { NamedCount($0.name, $0.units) } },
      .list(.object(NamedCount.ofUnits)))
    DocumentMember(
      "producers", derived: { $0.facts.producers.map { NamedCount($0.name, $0.units) } },
      .list(.object(NamedCount.ofUnits)))
  }
}

private struct DWARFVersion: Documented {
  let version: Int
  let units: Int

  init(_ version: Int, _ units: Int) {
    self.version = version
    self.units = units
  }

  static let declaration = DocumentType<DWARFVersion>(writing: "DWARFVersion") {
    DocumentMember("version", derived: { $0.version }, .count, example: 5)
    DocumentMember("units", derived: { $0.units }, .count)
  }
}

/// The number of units with a language or a producer.
private struct NamedCount: Sendable {
  let name: String
  let count: Int

  init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }

  static let ofUnits = DocumentType<NamedCount>(writing: "UnitCount") {
    DocumentMember("name", derived: { $0.name }, .text, example: "C++17")
    DocumentMember("units", derived: { $0.count }, .count)
  }

  static let ofModules = DocumentType<NamedCount>(writing: "ModuleCount") {
    DocumentMember("name", derived: { $0.name }, .text, example: "C++")
    DocumentMember("modules", derived: { $0.count }, .count)
  }
}
