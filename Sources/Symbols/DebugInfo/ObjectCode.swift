public import Bytes
public import DWARF
public import ObjectFormats
internal import Workers

/// The functions, lines and names of an object file of any format.
///
/// All addresses are offsets from ``ObjectFile/imageBase``.
public final class ObjectCode: Sendable {
  /// The sections with the names of ``tables``; `nil` for an object without debug information.
  public let sections: DWARFSections?
  /// Without ``CodeTables/codeRanges``, which are in ``codeRanges``.
  public let tables: CodeTables
  /// The ranges that ``layout(of:)`` and ``symbolRuns(beside:)`` are based on.
  public let codeRanges: SortedCodeRanges
  /// Further names of functions.
  public let symbols: SymbolTable
  /// Damage found while reading, as text for the user.
  public let notes: [String]
  private let space: CodeSpace
  private let limits: DWARFLimits
  private let bounds: FunctionBounds?

  /// Reads the object's symbol tables and, if it has them, the sections of its debug information.
  ///
  /// Damage to a part leaves a note.
  ///
  /// - Parameters:
  ///   - supplementary: The files with further debug information.
  ///   - width: The most threads; the result does not depend on it.
  ///   - offsets: Offsets from the image base to which reading is restricted, if not `nil`; a hint,
  ///     for containers that can be read in parts.
  public convenience init(
    _ object: ObjectFile, supplementary: SupplementaryObjects = .none,
    limits: DWARFLimits = DWARFLimits(),
    width: Int = 1, near offsets: [UInt32]? = nil
  ) throws(ParseError) {
    if object.container == .breakpad {
      self.init(breakpad: object, limits: limits)
      return
    }
    if let file = object.pdb {
      self.init(pdb: file, of: object, limits: limits)
      return
    }
    let limits = limits.fitting(storedBytes: object.bytes.count + supplementary.storedBytes)
    // The symbols of a WebAssembly module that the debug information has too are removed again.
    let offsets = object.container == .wasm ? nil : offsets
    let symbols = Background(isOn: width > 1 && object.hasDebugInfo) {
      Result { () throws(ParseError) in
        try object.symbolTable(near: offsets.map { $0.map { object.imageBase &+ UInt64($0) } })
      }
    }
    let space = CodeSpace(
      imageBase: object.imageBase, executable: object.executableRanges,
      startsBeforeZero: object.container == .wasm)
    var notes: [String] = []
    var sections = DWARFSections(
      endianness: object.endianness, addressSize: object.addressSize)
    if object.hasDebugInfo {
      sections.loadReading(object, space: space, limits: limits, notes: &notes, width: width)
      let others = supplementary.sections(for: object, notes: &notes, width: width)
      notes += sections.add(others, limits: limits)
    }
    if !object.hasDebugInfo, let map = try? object.machO?.debugMap() {
      let tables = Self.tables(
        of: map, in: space, supplementary, limits: limits, strings: &sections.strings, notes: &notes
      )
      let table = Self.table(symbols.value(), notes: &notes)
      self.init(
        tables, in: sections, symbols: table, space: space, bounds: object.functionBounds,
        notes: notes, limits: limits)
      return
    }
    let tables = CodeTables.reading(
      sections, space: space, limits: limits, width: width, near: offsets)
    sections.linesAhead = nil
    sections.scopedNames = tables.scopedNames.view
    notes += tables.notes.lines
    if tables.skeletonCount > 0 {
      notes += SupplementaryObjects.notes(missing: sections.missingUnits(limits: limits))
    }
    if let link = object.elf?.alternateLink, supplementary.alternate == nil {
      notes.append(
        "debug info: names are missing that dwz moved to \(link.path), build id \(link.codeID)")
    }
    var table = Self.table(symbols.value(), notes: &notes)
    if object.container == .wasm { table = table.withoutFunctions(of: tables, in: space) }
    self.init(
      tables, in: object.hasDebugInfo ? sections : nil, symbols: table, space: space,
      bounds: object.functionBounds, notes: notes, limits: limits)
  }

  private static func table(
    _ result: Result<SymbolTable, ParseError>, notes: inout [String]
  ) -> SymbolTable {
    switch result {
    case .success(let table): return table
    case .failure(let error):
      notes.insert(error.description, at: 0)
      return .empty
    }
  }

  /// Creates an object from existing tables, from DWARF or ``CodeTablesBuilder``.
  ///
  /// - Parameters:
  ///   - sections: The sections with the names of `tables`; only the strings matter for built ones.
  ///   - symbols: Names for code that `tables` do not describe, and for functions of theirs that
  ///     begin at a symbol.
  ///   - bounds: The ends of functions whose symbols have no size.
  ///   - notes: Damage found while reading, including the notes of `tables`.
  init(
    _ tables: consuming CodeTables, in sections: DWARFSections?, symbols: SymbolTable,
    space: CodeSpace, bounds: FunctionBounds? = nil, notes: [String], limits: DWARFLimits
  ) {
    self.sections = sections
    self.symbols = symbols
    var tables = tables
    codeRanges = SortedCodeRanges(tables.takeCodeRanges())
    self.tables = tables
    self.notes = notes
    self.space = space
    self.limits = limits
    self.bounds = bounds
  }

  /// The functions and inlined calls, without overlaps.
  ///
  /// - Complexity: O(n) in the number of ranges of code.
  public func layout(of codeRanges: SortedCodeRanges) -> CodeLayout {
    CodeLayout(codeRanges, of: tables, limits: limits)
  }

  /// The symbols, without overlaps.
  ///
  /// - Complexity: O(n) in the number of symbols and of ranges of code.
  public func symbolRuns(beside codeRanges: SortedCodeRanges) -> Table<SymbolRange> {
    var runs = SymbolRuns(overlapLimit: limits.overlaps)
    runs.run(
      symbols, space: space, codeRanges: codeRanges.table, tables: tables, sections: sections,
      bounds: bounds)
    return runs.finish()
  }

  /// The line sequences, without overlaps; the `scope` of a range is the sequence's index.
  ///
  /// Where sequences overlap, the one that begins first counts to its end; if two begin together,
  /// the first in the section.
  public func lineRuns() -> Table<CodeRange> {
    var codeRanges = Table<CodeRange>(minimumCapacity: tables.sequences.count)
    for index in 0..<tables.sequences.count {
      codeRanges.append(
        CodeRange(
          start: tables.sequences[index].start, end: tables.sequences[index].end,
          scope: UInt32(truncatingIfNeeded: index)))
    }
    let sorted = CodeRangeSort.sort(codeRanges)
    var runs = Table<CodeRange>(minimumCapacity: sorted.count)
    var end: UInt32 = 0
    for index in 0..<sorted.count {
      var codeRange = sorted[index]
      codeRange.start = max(codeRange.start, end)
      guard codeRange.end > codeRange.start else { continue }
      end = codeRange.end
      runs.append(codeRange)
    }
    return runs
  }
}
