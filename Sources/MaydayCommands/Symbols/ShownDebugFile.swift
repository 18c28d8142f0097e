import Bytes
import CrashModel
import CrashStore
import ObjectFormats
import SymbolCache
import SymbolSources
import Symbolication
import UnwindRules
import Workers

/// A debug file as `symbols show` tells of it: one that is stored, or one at a path.
struct ShownDebugFile {
  /// What the store knows of it; of a file at a path the same, as it would be stored.
  let record: DebugFileRecord?
  let file: DebugFile?
  /// Whether it is in the store.
  let isStored: Bool
  /// `nil` where they cannot be told.
  let unwind: UnwindRules?
  /// `nil` where nothing of the file can be read.
  let facts: ObjectFacts?
  /// The file where it holds only a part of the debug information of others.
  let companion: CompanionFile?
  /// What the units of such a part say of themselves.
  let splitUnits: ObjectFacts.DWARFFacts?

  /// - Parameter records: Those of the same id, among which are the files in which its debug
  ///   information goes on.
  init(_ record: DebugFileRecord, among records: [DebugFileRecord], in store: CrashStore) {
    self.record = record
    isStored = true
    let scans = records.compactMap { other in
      try? DebugFileScanner().scan(store.debugFile(other.digest), named: other.name)
    }
    let index = DebugFileIndex(
      scans.flatMap(\.files), companions: scans.flatMap(\.companions))
    file = scans.flatMap(\.files)
      .first { $0.digest == record.digest && $0.architecture == record.architecture }
      .map { index.complete($0) }
    unwind = file.flatMap { try? UnwindShelf(folder: store.caches).rules(for: $0) }
    facts = file.flatMap { Self.facts(of: $0) }
    companion =
      file == nil
      ? scans.flatMap(\.companions).first { $0.digest == record.digest } : nil
    splitUnits = companion.flatMap { ObjectFacts.DWARFFacts(ofSplitUnitsIn: $0.object) }
  }

  init(_ file: DebugFile) {
    self.file = file
    record = DebugFileRecord(file, added: .now)
    isStored = false
    unwind = try? UnwindShelf().rules(for: file)
    facts = Self.facts(of: file)
    companion = nil
    splitUnits = nil
  }

  init(_ companion: CompanionFile) {
    self.companion = companion
    splitUnits = ObjectFacts.DWARFFacts(ofSplitUnitsIn: companion.object)
    file = nil
    record = nil
    isStored = false
    unwind = nil
    facts = nil
  }

  /// What can be read of it.
  var object: ObjectFile? { file?.object ?? companion?.object }

  private static func facts(of file: DebugFile) -> ObjectFacts? {
    var options = CacheOptions()
    options.width = min(Workers.processorCount, CacheOptions.mostThreads)
    return try? ObjectFacts(of: file.object, companions: file.companions, options: options)
  }

  /// What a person is told: what it is, then what it holds.
  var details: [(String, String)] {
    var rows: [(String, String)] = []
    rows.append(("Name", record?.name ?? file?.name ?? companion?.name ?? ""))
    rows.append(("Arch", (record?.architecture ?? object?.architecture)?.description ?? ""))
    rows.append(("Kind", record?.kind ?? companion?.kind.rawValue ?? ""))
    rows.append(("Format", object.map { $0.container.rawValue } ?? ""))
    let size = record?.size ?? file?.fileBytes.count ?? companion?.fileBytes.count ?? 0
    rows.append(("Size", "\(size) bytes"))
    rows.append(("Debug id", record?.debugID.description ?? ""))
    rows.append(("Breakpad", record?.debugID.breakpadText ?? ""))
    rows.append(("Code id", (record?.codeID ?? file?.codeID)?.description ?? ""))
    rows.append(("Digest", record?.digest ?? file?.digest ?? companion?.digest ?? ""))
    if let splitUnits { rows += splitUnits.details }
    if let facts {
      if let modules = facts.modules { rows += modules.details }
      if let dwarf = facts.dwarf {
        rows += dwarf.details
        if dwarf.skeletonCount > 0 { rows.append(("Split", split(dwarf.skeletonCount))) }
      }
      rows.append(("Contains", facts.contents))
      rows.append(("Sources", facts.sources))
    }
    rows.append(("Unwind", unwind.map(DebugFileList.unwind) ?? ""))
    if let facts { rows.append(("Cache", facts.cache)) }
    if isStored, let added = record?.added { rows.append(("Added", ReportFacts.time(added))) }
    return rows.filter { !$0.1.isEmpty }
  }

  private func split(_ count: Int) -> String {
    let files = file?.companionFiles.count ?? 0
    return "\(count) \(count == 1 ? "unit goes" : "units go") on in other files, "
      + (files == 0 ? "none of them here" : "\(files) here")
  }

  func lines(styles: Styles, width: Int) -> [String] {
    let indent = 10
    return details.flatMap { label, value in
      let lines = value.printable.lines(of: max(width - indent, 1))
      return lines.enumerated().map { index, line in
        styles.dim((index == 0 ? label : "").padded(to: indent)) + line
      }
    }
  }
}

extension ObjectFacts {
  /// `812 functions, 2301 inlined calls, 40210 lines, 1022 symbols`
  fileprivate var contents: String {
    [
      (functions, "function", "functions"), (inlinedCalls, "inlined call", "inlined calls"),
      (lines, "line", "lines"), (symbols, "symbol", "symbols"),
    ]
    .map { "\($0) \($0 == 1 ? $1 : $2)" }.joined(separator: ", ")
  }

  fileprivate var sources: String {
    var parts: [String] = []
    if embeddedSources > 0 { parts.append("\(embeddedSources) in the file") }
    if sourceChecksums > 0 { parts.append("checksums of \(sourceChecksums)") }
    return parts.isEmpty ? "none in the file" : parts.joined(separator: ", ")
  }

  fileprivate var cache: String {
    "\(DebugFileList.size(cacheSize)), made in \(milliseconds) ms"
  }

  var milliseconds: Int {
    let (seconds, attoseconds) = compileTime.components
    return Int(clamping: seconds) * 1000 + Int(clamping: attoseconds / 1_000_000_000_000_000)
  }
}

extension ObjectFacts.DWARFFacts {
  fileprivate var details: [(String, String)] {
    let units = Counted(one: "unit", many: "units")
    return [
      (
        "DWARF",
        units.text(versions.map { ("version \($0.version)", $0.units) })
          + (hasWideUnits ? ", 64-bit" : "")
      ),
      ("Language", units.text(languages.map { ($0.name, $0.units) })),
    ] + units.rows("Producer", producers.map { ($0.name, $0.units) })
  }
}

extension ObjectFacts.ModuleFacts {
  fileprivate var details: [(String, String)] {
    let modules = Counted(one: "module", many: "modules")
    return [("Language", modules.text(languages.map { ($0.name, $0.modules) }))]
      + modules.rows("Producer", producers.map { ($0.name, $0.modules) })
  }
}

/// How many parts of a file say something.
private struct Counted {
  let one: String
  let many: String

  /// `C++17 (12 units), C11 (1 unit)`
  func text(_ values: [(String, Int)]) -> String {
    values.map { "\($0) (\($1) \($1 == 1 ? one : many))" }.joined(separator: ", ")
  }

  /// A line each, for they are long; the three most frequent.
  func rows(_ label: String, _ values: [(String, Int)]) -> [(String, String)] {
    let shown = 3
    var rows = values.prefix(shown).map { (label, text([$0])) }
    if values.count > shown { rows.append((label, "and \(values.count - shown) more")) }
    return rows
  }
}
