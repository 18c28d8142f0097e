internal import Bytes
package import CrashStore
internal import Documents
package import JSON
package import ObjectFormats
package import SymbolCache
package import SymbolSources
internal import Symbolication
package import UnwindRules
internal import Workers

/// A debug file for `symbols show`: a stored one, or one at a path.
package struct ShownDebugFile: Sendable {
  /// The store's record; for a file at a path, the record it would get.
  package let record: DebugFileRecord?
  package let file: DebugFile?
  /// Whether it is in the store.
  package let isStored: Bool
  /// The unwind rules; `nil` if they cannot be read.
  package let unwind: UnwindRules?
  /// The facts of the file; `nil` if nothing of it can be read.
  package let facts: ObjectFacts?
  /// The file, if it holds only a part of the debug information of others.
  package let supplementary: SupplementaryFile?
  /// The file, if it is a mapping.
  package let mapping: MappingFile?
  package let mappingFacts: MappingFile.Facts?
  /// The DWARF facts of a supplementary file's own units.
  package let splitUnits: ObjectFacts.DWARFFacts?

  /// - Parameter records: All records of the same id, including files with further debug information of it.
  /// - Throws: `DatabaseError`, `FileError`; if part of the file is damaged, the rest is shown.
  package init(_ record: DebugFileRecord, among records: [DebugFileRecord], in store: CrashStore)
    throws
  {
    self.record = record
    isStored = true
    let scans = try records.compactMap { other in
      try StoreError.unlessDamaged {
        DebugFileScanner().scan(try store.debugFiles.get(other.digest), named: other.name)
      }
    }
    let index = DebugFileIndex(
      scans.flatMap(\.files), supplementary: scans.flatMap(\.supplementary))
    file = scans.flatMap(\.files)
      .first { $0.digest == record.digest && $0.architecture == record.architecture }
      .map { index.complete($0) }
    unwind = file.flatMap { try? UnwindRuleCache(folder: store.caches).rules(for: $0) }
    facts = file.flatMap { Self.facts(of: $0) }
    supplementary =
      file == nil
      ? scans.flatMap(\.supplementary).first { $0.digest == record.digest } : nil
    splitUnits = supplementary.flatMap { ObjectFacts.DWARFFacts(ofSplitUnitsIn: $0.object) }
    mapping = scans.flatMap(\.mappings).first { $0.digest == record.digest }
    mappingFacts = mapping?.facts
  }

  package init(_ file: DebugFile) {
    self.file = file
    record = DebugFileRecord(file, added: .now)
    isStored = false
    unwind = try? UnwindRuleCache().rules(for: file)
    facts = Self.facts(of: file)
    supplementary = nil
    splitUnits = nil
    mapping = nil
    mappingFacts = nil
  }

  package init(_ mapping: MappingFile) {
    self.mapping = mapping
    mappingFacts = mapping.facts
    file = nil
    record = nil
    isStored = false
    unwind = nil
    facts = nil
    supplementary = nil
    splitUnits = nil
  }

  package init(_ supplementary: SupplementaryFile) {
    self.supplementary = supplementary
    splitUnits = ObjectFacts.DWARFFacts(ofSplitUnitsIn: supplementary.object)
    file = nil
    record = nil
    isStored = false
    unwind = nil
    facts = nil
    mapping = nil
    mappingFacts = nil
  }

  /// The readable object file.
  package var object: ObjectFile? { file?.object ?? supplementary?.object }

  private static func facts(of file: DebugFile) -> ObjectFacts? {
    var options = CacheOptions()
    options.width = min(Workers.processorCount, CacheOptions.mostThreads)
    return try? ObjectFacts(of: file.object, supplementary: file.supplementary, options: options)
  }

  /// All its facts.
  package var document: JSONValue {
    var writer = JSONWriter()
    writer.write(self)
    return (try? JSONDocument.parse(ByteView(writer.takeBytes())).value) ?? .null
  }
}

extension ObjectFacts {
  package var milliseconds: Int {
    let (seconds, attoseconds) = compileTime.components
    return Int(clamping: seconds) * 1000 + Int(clamping: attoseconds / 1_000_000_000_000_000)
  }
}
