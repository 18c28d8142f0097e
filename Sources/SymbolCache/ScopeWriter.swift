internal import Bytes
internal import DWARF
internal import DebugInfo
internal import ObjectFormats

/// Writes what the code is: the sections of symbols, scopes and functions, and their names.
struct ScopeWriter: ~Copyable {
  var strings = StringPool()
  var symbolStarts = Table<UInt8>()
  var symbolNames = Table<UInt8>()
  var symbolFiles = Table<UInt8>()
  var starts = Table<UInt8>()
  var runs = Table<UInt8>()
  var scopes = Table<UInt8>()
  var functions = Table<UInt8>()
  /// Files of calls, declarations and symbols: offset and length each.
  var files = Table<UInt8>()
  private var paths: PathTable
  private var functionNumbers: Table<UInt32>
  private var functionCount: UInt32 = 0
  /// How many more bytes of names may be read: names may overlap, and a small file could ask for the
  /// same long one again and again.
  private var nameBudget: Int
  private let keepsColumns: Bool

  init(_ code: ObjectCode, _ layout: borrowing CodeLayout, keepsColumns: Bool) {
    self.keepsColumns = keepsColumns
    nameBudget = Self.nameBudget(code)
    paths = PathTable(fileCount: code.tables.files.count)
    functionNumbers = Table(repeating: 0, count: code.tables.functions.count)
    writeSymbols(code, layout)
    writeScopes(code, layout)
    paths.write(code.tables.files, into: &files, strings: &strings)
    writeSymbolFiles(code, layout)
  }

  /// Twice what the sections that hold names have: linkers let names share their ends, and units
  /// repeat them.
  private static func nameBudget(_ code: ObjectCode) -> Int {
    guard let sections = code.sections else { return 0 }
    let size = ([sections] + sections.others).reduce(code.tables.functions.count) {
      $0 + $1.strings.count + $1.lineStrings.count + $1.info.count
    }
    return (1 << 20) + 2 * size
  }

  private mutating func writeSymbols(_ code: ObjectCode, _ layout: borrowing CodeLayout) {
    let names = code.symbols.names
    for index in 0..<layout.symbolRuns.count {
      let run = layout.symbolRuns[index]
      let place = strings.place(
        of: names.bytes, from: Int(run.nameOffset), count: Int(run.nameCount))
      symbolStarts.put(run.start)
      symbolNames.put(place?.offset ?? 0)
      symbolNames.put(place?.count ?? 0)
    }
  }

  private mutating func writeSymbolFiles(_ code: ObjectCode, _ layout: borrowing CodeLayout) {
    let names = code.symbols.names
    var numbers: [UInt32: UInt32] = [:]
    for index in 0..<layout.symbolRuns.count {
      let offset = layout.symbolRuns[index].fileNameOffset
      guard offset > 0 || !numbers.isEmpty else { continue }
      if numbers.isEmpty { symbolFiles.resize(to: index * 4, filling: 0) }
      if let number = numbers[offset] {
        symbolFiles.put(number)
        continue
      }
      var number: UInt32 = 0
      let count = names.bytes.textLength(from: Int(offset), limit: DWARFLimits().nameLength)
      if offset > 0, count > 0,
        let place = strings.place(of: names.bytes, from: Int(offset), count: count)
      {
        files.put(place.offset)
        files.put(place.count)
        number = UInt32(truncatingIfNeeded: files.count / 8)
      }
      numbers[offset] = number
      symbolFiles.put(number)
    }
  }

  private mutating func functionNumber(_ function: UInt32, _ code: ObjectCode) -> UInt32 {
    let known = functionNumbers[Int(function)]
    if known != 0 { return known &- 1 }
    let record = code.tables.functions[Int(function)]
    var place: StringPool.Place?
    if let view = code.sections?.view(of: record.name) {
      let bytes = view.bytes
      let count = bytes.textLength(
        from: record.name.offset, limit: min(DWARFLimits().nameLength, max(nameBudget, 0)))
      nameBudget -= count
      place = strings.place(of: bytes, from: record.name.offset, count: count)
    }
    functions.put(place?.offset ?? 0)
    functions.put(place?.count ?? 0)
    functions.put(paths.number(of: record.file))
    functions.put(record.line)
    functionCount += 1
    functionNumbers[Int(function)] = functionCount
    return functionCount &- 1
  }

  private mutating func writeScopes(_ code: ObjectCode, _ layout: borrowing CodeLayout) {
    let count = code.tables.scopes.count
    // Where each scope that has code lies; all ones for the others.
    var offsets = Table<UInt32>(repeating: .max, count: count)
    for index in 0..<layout.segments.count {
      var scope = layout.segments[index].scope
      while scope != CodeTables.none, offsets[Int(scope)] == .max {
        offsets[Int(scope)] = 0
        scope = code.tables.scopes[Int(scope)].parent
      }
    }
    for index in 0..<count where offsets[index] == 0 {
      let offset = UInt32(truncatingIfNeeded: scopes.count)
      offsets[index] = offset
      let record = code.tables.scopes[index]
      scopes.put(varint: functionNumber(record.function, code))
      if record.parent == CodeTables.none {
        scopes.put(varint: 0)
        scopes.put(record.callFileOrEntry)
      } else {
        scopes.put(varint: offset &- offsets[Int(record.parent)])
        scopes.put(varint: paths.number(of: record.callFileOrEntry))
        scopes.put(varint: record.callLine)
        scopes.put(varint: keepsColumns ? record.callColumn : 0)
      }
    }
    var block = RunBlock()
    for index in 0..<layout.segments.count {
      let segment = layout.segments[index]
      if block.isFull(for: segment.start) {
        starts.put(segment.start)
        block.begin(at: segment.start, in: &runs)
        runs.resize(to: block.offset + SymbolCacheFormat.scopeBlockSize, filling: 0)
      }
      let slot = block.count
      block.add(segment.start, to: &runs)
      guard segment.scope != CodeTables.none else { continue }
      let value = offsets[Int(segment.scope)] &+ 1
      let place = block.offset + SymbolCacheFormat.blockStarts + slot * 4
      for byte in 0..<4 {
        runs[place + byte] = UInt8(truncatingIfNeeded: value &>> UInt32(byte * 8))
      }
    }
  }
}
