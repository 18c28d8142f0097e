public import Bytes
public import DWARF
public import ObjectFormats
internal import Workers

/// What an object file says about its code, whatever it is written in.
///
/// All addresses are offsets from ``ObjectFile/imageBase``.
public final class ObjectCode: Sendable {
  /// Where the names of ``tables`` lie; `nil` for an object without debug information.
  public let sections: DWARFSections?
  public let tables: CodeTables
  /// What names functions besides.
  public let symbols: SymbolTable
  /// Damage that was met, in words for a person.
  public let notes: [String]
  private let space: CodeSpace
  private let limits: DWARFLimits

  /// Reads the object's symbol tables and, if it has them, the sections of its debug information.
  ///
  /// - Parameters:
  ///   - width: The most threads; the result does not depend on it.
  ///   - places: Offsets from the image base, for which alone the code is read, if not for all.
  /// - Throws: ``ParseError`` for an object that is not linked and has several sections of code,
  ///   whose addresses mean nothing yet; damage to a part leaves a note.
  public init(
    _ object: ObjectFile, limits: DWARFLimits = DWARFLimits(), width: Int = 1,
    near places: [UInt32]? = nil
  ) throws(ParseError) {
    let codeCount = object.sections.count { $0.isExecutable && $0.size > 0 }
    guard object.kind != .relocatable || object.container != .elf || codeCount <= 1 else {
      throw ParseError(
        .unsupported("an object of \(codeCount) code sections that is not linked"),
        in: "debug info", at: 0)
    }
    let symbols = Background(isOn: width > 1 && object.hasDebugInfo) {
      Result { () throws(ParseError) in
        try object.symbolTable(near: places.map { $0.map { object.imageBase &+ UInt64($0) } })
      }
    }
    var notes: [String] = []
    var sections = DWARFSections(
      endianness: object.endianness, addressSize: object.addressSize)
    if object.hasDebugInfo { sections.load(from: object, notes: &notes, width: width) }
    let space = CodeSpace(imageBase: object.imageBase, executable: object.executableRanges)
    let tables = CodeTables.reading(sections, space: space, limits: limits, width: width, near: places)
    notes += tables.notes.lines
    if tables.skeletonCount > 0 {
      notes.append(
        "debug info: \(tables.skeletonCount) units keep their functions in another file (.dwo)")
    }
    if object.alternateLink != nil {
      notes.append("debug info: names that dwz moved to another file are missing")
    }
    switch symbols.value() {
    case .success(let table): self.symbols = table
    case .failure(let error):
      self.symbols = .empty
      notes.insert(error.description, at: 0)
    }
    self.sections = object.hasDebugInfo ? sections : nil
    self.tables = tables
    self.notes = notes
    self.space = space
    self.limits = limits
  }

  /// The functions, inlined calls and symbols side by side.
  ///
  /// - Complexity: O(n) in the number of pieces of code and of symbols.
  public func layout() -> CodeLayout {
    CodeLayout(tables, symbols: symbols, sections: sections, space: space, limits: limits)
  }

  /// Which line sequence counts where; the `scope` of a piece is the sequence's index.
  ///
  /// Where sequences overlap, the one that begins first counts to its end; of two that begin
  /// together the first in the section.
  public func lineRuns() -> Table<CodePiece> {
    var pieces = Table<CodePiece>(minimumCapacity: tables.sequences.count)
    for index in 0..<tables.sequences.count {
      pieces.append(
        CodePiece(
          start: tables.sequences[index].start, end: tables.sequences[index].end,
          scope: UInt32(truncatingIfNeeded: index)))
    }
    let sorted = PieceSort.sort(pieces)
    var runs = Table<CodePiece>(minimumCapacity: sorted.count)
    var end: UInt32 = 0
    for index in 0..<sorted.count {
      var piece = sorted[index]
      piece.start = max(piece.start, end)
      guard piece.end > piece.start else { continue }
      end = piece.end
      runs.append(piece)
    }
    return runs
  }
}
