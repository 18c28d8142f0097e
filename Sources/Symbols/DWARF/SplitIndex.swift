internal import Bytes

/// Where the split units of an object lie in the files that hold them, by id.
struct SplitIndex: Sendable {
  /// A unit and the parts of the sections that its offsets are meant in.
  struct SplitUnit: Sendable {
    /// From 1: an index in ``DWARFSections/others`` plus 1.
    var file: Int
    var unit: Range<Int>
    var abbreviations = 0
    var stringOffsets = 0
    var rangeLists = 0
  }

  private var units: [UInt64: SplitUnit] = [:]
  private(set) var notes: [String] = []

  init() {}

  /// Where two files have a unit of one id, the first counts.
  init(_ others: [DWARFSections], limits: DWARFLimits) {
    for (index, other) in others.prefix(TextReference.files - 1).enumerated() {
      switch other.role {
      case .split: addUnits(of: other, file: index + 1, limits: limits)
      case .package: addPackage(other, file: index + 1, limits: limits)
      case .object, .alternate: break
      }
    }
  }

  var ids: [UInt64] { units.keys.sorted() }

  /// In the order of the files, and of the units in them.
  var all: [SplitUnit] {
    units.values.sorted { ($0.file, $0.unit.lowerBound) < ($1.file, $1.unit.lowerBound) }
  }

  func unit(of id: UInt64) -> SplitUnit? { units[id] }

  private mutating func add(_ unit: SplitUnit, id: UInt64, limits: DWARFLimits) {
    guard units.count < limits.units, units[id] == nil else { return }
    units[id] = unit
  }

  private mutating func addUnits(of other: DWARFSections, file: Int, limits: DWARFLimits) {
    let spans = SectionSpans(other)
    // Without `others`, so this ends.
    var reader = InfoReader(
      other, space: CodeSpace(imageBase: 0, executable: []), limits: limits)
    reader.findUnits(spans)
    for index in reader.units.indices {
      let header = reader.units[index].header
      guard !header.isTypeUnit else { continue }
      var id = header.id
      if header.encoding.version < 5 {
        guard let old = reader.splitID(ofRoot: index, spans) else { continue }
        id = old
      } else if header.kind != UnitHeader.Kind.splitCompile {
        continue
      }
      add(SplitUnit(file: file, unit: header.offset..<header.end), id: id, limits: limits)
    }
  }

  /// `.debug_cu_index`: a hash table of ids and, for each, a row of offsets and one of sizes in the
  /// sections that a header row names.
  ///
  ///     OFFSET  SIZE    FIELD
  ///          0     4    version 2; or 2 bytes of version 5 and 2 of padding
  ///          4     4    number of columns, N
  ///          8     4    number of units, U
  ///         12     4    number of slots, S
  ///         16   8 * S  ids
  ///              4 * S  rows, from 1; 0 is a free slot
  ///              4 * N  the section of each column
  ///            4 * N * U  offsets
  ///            4 * N * U  sizes
  ///
  /// Source: DWARF 5, section 7.3.5.3; version 2: GCC wiki, "DebugFissionDWP".
  private mutating func addPackage(_ other: DWARFSections, file: Int, limits: DWARFLimits) {
    let isBig = other.endianness == .big
    let table = other.unitIndex.bytes
    var cursor = Cursor(table, isBigEndian: isBig, from: 0, to: table.byteCount)
    var version = UInt32(cursor.u16())
    let padding = UInt32(cursor.u16())
    if isBig, version == 0 { version = padding }
    let columns = Int(cursor.u32())
    let units = Int(cursor.u32())
    let slots = Int(cursor.u32())
    guard !cursor.failed, version == 2 || version == 5 else {
      notes.append("package of split units: index of version \(version)")
      return
    }
    let rowSize = columns * 4
    let (cells, overflow) = units.multipliedReportingOverflow(by: rowSize)
    guard columns <= 16, units <= limits.units, slots <= limits.units * 4, !overflow,
      slots * 12 + rowSize + cells * 2 <= cursor.remaining
    else {
      notes.append("package of split units: the index is cut off")
      return
    }
    let rows = cursor.offset + slots * 8
    let names = rows + slots * 4
    var kinds: [PackageSection?] = []
    for column in 0..<columns {
      let number = Self.number(table, at: names + column * 4, isBig)
      kinds.append(PackageSection(number, version: version))
    }
    for slot in 0..<slots {
      let row = Int(Self.number(table, at: rows + slot * 4, isBig))
      guard row > 0, row <= units else { continue }
      var ids = Cursor(
        table, isBigEndian: isBig, from: cursor.offset + slot * 8, to: table.byteCount)
      let id = ids.u64()
      var splitUnit = SplitUnit(file: file, unit: 0..<0)
      for column in 0..<columns {
        let cell = names + rowSize + ((row - 1) * columns + column) * 4
        let offset = Int(Self.number(table, at: cell, isBig))
        switch kinds[column] {
        case .info:
          splitUnit.unit = offset..<(offset + Int(Self.number(table, at: cell + cells, isBig)))
        case .abbreviations: splitUnit.abbreviations = offset
        case .stringOffsets: splitUnit.stringOffsets = offset
        case .rangeLists: splitUnit.rangeLists = offset
        case nil: break
        }
      }
      if !splitUnit.unit.isEmpty { add(splitUnit, id: id, limits: limits) }
    }
  }

  private static func number(_ table: RawSpan, at offset: Int, _ isBigEndian: Bool) -> UInt32 {
    var cursor = Cursor(table, isBigEndian: isBigEndian, from: offset, to: table.byteCount)
    return cursor.u32()
  }
}

/// The columns of a package's index that matter here.
private enum PackageSection {
  case info, abbreviations, stringOffsets, rangeLists

  init?(_ number: UInt32, version: UInt32) {
    switch number {
    case 1: self = .info
    case 3: self = .abbreviations
    case 6: self = .stringOffsets
    case 8 where version == 5: self = .rangeLists
    default: return nil
    }
  }
}
