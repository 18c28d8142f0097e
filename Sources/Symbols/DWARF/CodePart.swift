internal import Bytes
internal import Synchronization
internal import Workers

/// The results of one thread: tables of its own, in which slices belong to the shares
/// that it took.
final class CodePart: Sendable {
  /// A function that was the first in its part to describe a range of code.
  struct OwnedRange: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var unit: UInt32
    var scope: UInt32
  }

  /// Where the tables of a part end with a share; what is before belongs to earlier ones.
  struct ShareSlice: Sendable {
    var share: Int
    var scopes = 0
    var codeRanges = 0
    var sequences = 0
    var unitScopes = 0
    var ownedRanges = 0
    var notes = 0
  }

  /// How much of what limits allow for a file was used.
  struct Spending: Sendable {
    var ranges: Int
    var abbreviations: Int
    var lineHeads: Int
    var linePrograms: Int
    var paths: Int
    var splitUnits: Int
    var origins: Int
    var scopedNames: Int

    /// Whether as much as the parts used together is within the limits for one reader, which starts
    /// with `self`.
    func covers(_ rests: [Spending]) -> Bool {
      all.indices.allSatisfy { budget in
        rests.reduce(0) { $0 + all[budget] - $1.all[budget] } < all[budget]
      }
    }

    private var all: [Int] {
      [ranges, abbreviations, lineHeads, linePrograms, paths, splitUnits, origins, scopedNames]
    }
  }

  /// Functions with code and inlined calls, by the part's own numbers.
  struct Code: ~Copyable, Sendable {
    var scopes: Table<ScopeRecord>
    var codeRanges: Table<CodeRange>
    var unitScopes: Table<UInt32>
  }

  /// The functions and their names.
  struct Names: ~Copyable, Sendable {
    var functions: Table<FunctionRecord>
    var index: FunctionTable
    var scoped: ScopedNames
  }

  let slices: [ShareSlice]
  /// The budgets, and the rest of them.
  let allowed: Spending
  let rest: Spending
  /// Where the line tables begin that were read.
  let lineTables: Set<UInt64>
  let rowCount: Int
  let notes: ParseNotes
  let skeletonCount: Int
  let ownedRanges: Table<OwnedRange>
  let sequences: Table<LineSequence>
  /// The number of the line table of each sequence.
  let sequenceOwners: Table<UInt32>
  /// Each for the one who joins it.
  let code: Handover<Code>
  let names: Handover<Names>
  let files: Handover<FileTable>
  let rows: Handover<Table<LineRow>>
  /// The owners of ``ownedRanges``.
  let owners: Handover<RangeOwners>

  private init(_ reader: consuming InfoReader, allowed: Spending) {
    slices = reader.slices ?? []
    self.allowed = allowed
    rest = reader.spending
    lineTables = reader.lines.done
    rowCount = reader.output.rows.count
    notes = reader.output.notes
    skeletonCount = reader.output.skeletonCount
    let lineReader = reader.lines
    let tables = reader.output
    ownedRanges = reader.ownedRanges
    sequences = tables.sequences
    sequenceOwners = lineReader.owners
    code = Handover(
      Code(
        scopes: tables.scopes, codeRanges: tables.codeRanges, unitScopes: tables.unitScopes))
    names = Handover(
      Names(
        functions: tables.functions, index: reader.functions, scoped: tables.scopedNames))
    files = Handover(tables.files)
    rows = Handover(tables.rows)
    owners = Handover(reader.rangeOwners)
  }

  /// Shares the units among threads; a part from each.
  static func reading(
    _ units: [Unit], shares: UnitQueue, _ sections: borrowing DWARFSections, space: CodeSpace,
    limits: DWARFLimits, width: Int
  ) -> [CodePart] {
    let width = min(width, shares.count)
    let next = NextShare(shares.leading)
    let sections = copy sections
    return Workers.map(count: width, width: width) { index -> CodePart in
      let spans = SectionSpans(sections)
      var reader = InfoReader(sections, space: space, limits: limits)
      let allowed = reader.spending
      reader.units = units
      reader.slices = []
      var share = index == 0 ? 0 : next.take()
      while share < shares.count {
        reader.read(shares[share], spans, of: sections)
        reader.endSlice(of: share)
        share = share + 1 < shares.leading ? share + 1 : next.take()
      }
      return CodePart(reader, allowed: allowed)
    }
  }

  private final class NextShare: Sendable {
    private let number: Atomic<Int>

    init(_ number: Int) { self.number = Atomic(number) }

    func take() -> Int { number.wrappingAdd(1, ordering: .relaxed).oldValue }
  }
}

extension InfoReader {
  /// The rest of the budgets.
  fileprivate var spending: CodePart.Spending {
    CodePart.Spending(
      ranges: rangeBudget, abbreviations: abbreviations.budget, lineHeads: lines.budget,
      linePrograms: lines.programBudget, paths: output.files.budget, splitUnits: splitBudget,
      origins: originBudget, scopedNames: scopedNameBudget)
  }

  fileprivate mutating func endSlice(of share: Int) {
    slices?.append(
      CodePart.ShareSlice(
        share: share, scopes: output.scopes.count, codeRanges: output.codeRanges.count,
        sequences: output.sequences.count, unitScopes: output.unitScopes.count,
        ownedRanges: ownedRanges.count, notes: output.notes.count))
  }
}
