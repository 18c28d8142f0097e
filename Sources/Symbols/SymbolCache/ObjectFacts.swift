public import Bytes
internal import DWARF
public import DebugInfo
public import ObjectFormats

/// Statistics of an object file for symbolication, and the cost of its symbol cache.
public struct ObjectFacts: Sendable {
  /// The compilers and the debug format; `nil` without DWARF.
  public let dwarf: DWARFFacts?
  /// The compilers of the modules of a PDB; `nil` for other files.
  public let modules: ModuleFacts?
  /// Functions with code.
  public let functions: Int
  public let inlinedCalls: Int
  /// Rows of line tables whose location differs from the one before.
  public let lines: Int
  /// Names of functions in the symbol tables.
  public let symbols: Int
  /// Sources contained in the file.
  public let embeddedSources: Int
  /// Sources of which it has only a checksum.
  public let sourceChecksums: Int
  /// In bytes.
  public let cacheSize: Int
  /// The time it took to build the cache.
  public let compileTime: Duration
  /// Damage found while reading, as text for the user.
  public let notes: [String]

  /// Facts of the DWARF units, the most frequent first.
  public struct DWARFFacts: Sendable {
    public let unitCount: Int
    /// Units whose entries are in another file.
    public let skeletonCount: Int
    public let hasWideUnits: Bool
    public let versions: [(version: Int, units: Int)]
    public let producers: [(name: String, units: Int)]
    public let languages: [(name: String, units: Int)]
  }

  /// The compilers of the modules of a PDB, the most frequent first.
  public struct ModuleFacts: Sendable {
    public let moduleCount: Int
    public let producers: [(name: String, modules: Int)]
    public let languages: [(name: String, modules: Int)]
  }

  /// Reads all of an object and compiles its cache, which is discarded.
  ///
  /// - Parameter supplementary: The files with further debug information.
  /// - Throws: The errors of ``SymbolCache/compiling(_:supplementary:options:)``.
  public init(
    of object: ObjectFile, supplementary: SupplementaryObjects = .none,
    options: CacheOptions = CacheOptions()
  ) throws(ParseError) {
    let clock = ContinuousClock()
    let start = clock.now
    let code = try ObjectCode(
      object, supplementary: supplementary, limits: options.limits, width: options.width)
    let compiled = try SymbolCache.compiling(object, from: code, options: options)
    compileTime = start.duration(to: clock.now)
    cacheSize = compiled.size
    notes = compiled.notes
    var functions = 0
    for index in 0..<code.tables.scopes.count
    where code.tables.scopes[index].parent == CodeTables.none {
      functions += 1
    }
    self.functions = functions
    inlinedCalls = code.tables.scopes.count - functions
    lines = code.tables.rows.count
    symbols = code.symbols.symbols.count
    let sources = object.sources
    embeddedSources = sources.count { $0.text != nil }
    sourceChecksums = sources.count { $0.text == nil && $0.checksum != nil }
    dwarf =
      object.hasDWARF ? code.sections.map { DWARFFacts(UnitFacts(reading: $0)) } : nil
    modules = object.moduleFacts.map(ModuleFacts.init)
  }
}

extension ObjectFacts.DWARFFacts {
  /// The facts of the split units in a file; `nil` for other files.
  ///
  /// - Complexity: O(units and their abbreviations).
  public init?(ofSplitUnitsIn object: ObjectFile) {
    guard let facts = object.splitUnitFacts else { return nil }
    self.init(facts)
  }

  fileprivate init(_ facts: UnitFacts) {
    unitCount = facts.unitCount
    skeletonCount = facts.skeletonCount
    hasWideUnits = facts.hasWideUnits
    versions = facts.versions.map { ($0.key, $0.value) }
      .sorted { ($1.units, $1.version) < ($0.units, $0.version) }
    producers = facts.producers.map { ($0.key, $0.value) }
      .sorted { ($1.units, $0.name) < ($0.units, $1.name) }
    languages = facts.languages
      .map { (UnitFacts.language($0.key) ?? $0.key.hexadecimal, $0.value) }
      .sorted { ($1.units, $0.name) < ($0.units, $1.name) }
  }
}

extension ObjectFacts.ModuleFacts {
  fileprivate init(_ facts: DebugInfo.ModuleFacts) {
    moduleCount = facts.moduleCount
    producers = facts.producers.map { ($0.key, $0.value) }
      .sorted { ($1.modules, $0.name) < ($0.modules, $1.name) }
    languages = facts.languages
      .map {
        (DebugInfo.ModuleFacts.language($0.key) ?? $0.key.hexadecimal, $0.value)
      }
      .sorted { ($1.modules, $0.name) < ($0.modules, $1.name) }
  }
}

extension ObjectFile {
  fileprivate var hasDWARF: Bool { hasDebugInfo && container != .pdb && container != .breakpad }
}
