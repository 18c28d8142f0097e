internal import Bytes
internal import CrashModel
internal import DWARF
internal import DebugInfo
internal import ObjectFormats

/// Writes the code of an object as a symbol cache.
///
/// Everything is numbered in the order in which it is first met, so that the same object gives the
/// same bytes.
struct CacheWriter: ~Copyable {
  private var strings = StringPool()
  private var symbolStarts = Table<UInt8>()
  private var symbolNames = Table<UInt8>()
  private var scopeStarts = Table<UInt8>()
  private var scopeBlocks = Table<UInt8>()
  private var scopeRuns = Table<UInt8>()
  private var scopes = Table<UInt8>()
  private var functions = Table<UInt8>()
  private var lineStarts = Table<UInt8>()
  private var lineBlocks = Table<UInt8>()
  private var lineRows = Table<UInt8>()
  private var files = Table<UInt8>()
  /// For each file of the object its index in the cache plus 1; 0 while nobody has asked.
  private var fileNumbers = Table<UInt32>()
  private var functionNumbers = Table<UInt32>()
  private var functionCount: UInt32 = 0
  private var fileCount: UInt32 = 0
  private let keepsColumns: Bool

  init(keepsColumns: Bool) { self.keepsColumns = keepsColumns }

  /// The cache of `code`, which was read from `object`.
  ///
  /// - Throws: ``ParseError`` when the cache would need more than 4 GiB.
  consuming func write(
    _ code: borrowing ObjectCode, of object: ObjectFile
  ) throws(ParseError) -> ByteView {
    fileNumbers.resize(to: code.tables.files.count + 1, filling: 0)
    functionNumbers.resize(to: code.tables.functions.count, filling: 0)
    writeSymbols(code)
    writeScopes(code)
    writeLines(code)
    guard strings.bytes.count < Int(UInt32.max), scopes.count < Int(Int32.max),
      lineRows.count < Int(UInt32.max), scopeRuns.count < Int(UInt32.max)
    else {
      throw Self.tooLarge
    }
    var flags: UInt32 = 0
    if lineRows.count > 0 { flags |= SymbolCacheFormat.Flags.lines }
    if keepsColumns { flags |= SymbolCacheFormat.Flags.columns }
    if code.sections != nil { flags |= SymbolCacheFormat.Flags.debugInfo }
    return try assemble(flags: flags, object)
  }

  private static var tooLarge: ParseError {
    ParseError(
      .limit(name: "bytes in a symbol cache", value: Int(UInt32.max)), in: "symbol cache", at: 0)
  }

  // MARK: Names

  private mutating func writeSymbols(_ code: borrowing ObjectCode) {
    let names = code.symbols.names
    for index in 0..<code.symbolRuns.count {
      let run = code.symbolRuns[index]
      let place = strings.place(
        of: names.bytes, from: Int(run.nameOffset), count: Int(run.nameCount))
      symbolStarts.put(run.start)
      symbolNames.put(place?.offset ?? 0)
      symbolNames.put(place?.count ?? 0)
    }
  }

  private mutating func fileNumber(_ file: UInt32, _ code: borrowing ObjectCode) -> UInt32 {
    guard file > 0, Int(file) < fileNumbers.count else { return 0 }
    let known = fileNumbers[Int(file)]
    if known != 0 { return known }
    let range = code.tables.files.range(of: Int(file) - 1)
    let bytes = unsafe code.tables.files.bytes.span.bytes
    let place = strings.place(of: bytes, from: range.lowerBound, count: range.count)
    files.put(place?.offset ?? 0)
    files.put(place?.count ?? 0)
    fileCount += 1
    fileNumbers[Int(file)] = fileCount
    return fileCount
  }

  private mutating func functionNumber(
    _ function: UInt32, _ code: borrowing ObjectCode
  ) -> UInt32 {
    let known = functionNumbers[Int(function)]
    if known != 0 { return known &- 1 }
    let record = code.tables.functions[Int(function)]
    var place: StringPool.Place?
    if let view = code.sections?.view(of: record.name.section) {
      let bytes = view.bytes
      place = strings.place(
        of: bytes, from: record.name.offset,
        count: bytes.textLength(from: record.name.offset, limit: DWARFLimits().nameLength))
    }
    let file = fileNumber(record.file, code)
    functions.put(place?.offset ?? 0)
    functions.put(place?.count ?? 0)
    functions.put(file)
    functions.put(record.line)
    functionCount += 1
    functionNumbers[Int(function)] = functionCount
    return functionCount &- 1
  }

  // MARK: Scopes

  private mutating func writeScopes(_ code: borrowing ObjectCode) {
    let count = code.tables.scopes.count
    // Where each scope that has code lies; all ones for the others.
    var offsets = Table<UInt32>(repeating: .max, count: count)
    for index in 0..<code.segments.count {
      var scope = code.segments[index].scope
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
        scopes.put(varint: fileNumber(record.callFileOrEntry, code))
        scopes.put(varint: record.callLine)
        scopes.put(varint: keepsColumns ? record.callColumn : 0)
      }
    }
    var last: UInt32 = 0
    var lastStart: UInt32 = 0
    for index in 0..<code.segments.count {
      let segment = code.segments[index]
      if index % SymbolCacheFormat.runsInBlock == 0 {
        scopeStarts.put(segment.start)
        scopeBlocks.put(UInt32(truncatingIfNeeded: scopeRuns.count))
        last = 0
      } else {
        scopeRuns.put(varint: segment.start &- lastStart)
      }
      lastStart = segment.start
      guard segment.scope != CodeTables.none else {
        scopeRuns.put(varint: 0)
        continue
      }
      let offset = offsets[Int(segment.scope)]
      let distance = Int32(truncatingIfNeeded: Int(offset) &- Int(last))
      scopeRuns.put(varint: UInt32(bitPattern: distance &<< 1 ^ distance &>> 31) &+ 1)
      last = offset
    }
  }

  // MARK: Lines

  /// What the rows of a block are written against.
  struct RowState {
    var file: UInt32 = 0
    var line: UInt32 = 0
    var column: UInt32 = 0
    var address: UInt32 = 0
    var place: UInt64 = 0
    var count = 0
  }

  private mutating func writeLines(_ code: borrowing ObjectCode) {
    var state = RowState()
    var end: UInt32 = 0
    for index in 0..<code.lineRuns.count {
      let run = code.lineRuns[index]
      if run.start > end { writeRow(end, 0, &state, code) }
      end = run.end
      let sequence = code.tables.sequences[Int(run.scope)]
      let first = Int(sequence.firstRow)
      let rows = first + Int(sequence.rowCount)
      for row in first..<rows {
        let current = code.tables.rows[row]
        if current.address >= run.end { break }
        if current.address < run.start {
          // Only the last row before the start says what stands there.
          if row + 1 < rows, code.tables.rows[row + 1].address <= run.start { continue }
          writeRow(run.start, current.place, &state, code)
        } else {
          writeRow(current.address, current.place, &state, code)
        }
      }
    }
    writeRow(end, 0, &state, code)
  }

  @inline(__always)
  private mutating func writeRow(
    _ address: UInt32, _ place: UInt64, _ state: inout RowState, _ code: borrowing ObjectCode
  ) {
    let place = keepsColumns ? place : place & ~0xffff
    if place == state.place { return }
    state.place = place
    if state.count % SymbolCacheFormat.rowsInBlock == 0 {
      lineStarts.put(address)
      lineBlocks.put(UInt32(truncatingIfNeeded: lineRows.count))
      state.file = 0
      state.line = 0
      state.column = 0
    } else {
      lineRows.put(varint: address &- state.address)
    }
    state.count &+= 1
    state.address = address
    if place == 0 {
      lineRows.append(SymbolCacheFormat.RowTag.nothing)
      return
    }
    let file = fileNumber(UInt32(truncatingIfNeeded: place &>> 42), code)
    let line = UInt32(truncatingIfNeeded: place &>> 16) & 0x3ff_ffff
    let column = UInt32(truncatingIfNeeded: place & 0xffff)
    let delta = Int(line) &- Int(state.line)
    var tag: UInt8
    let biased = delta &+ SymbolCacheFormat.RowTag.lineBias
    if biased >= 0, biased <= SymbolCacheFormat.RowTag.lineLargest {
      tag = UInt8(truncatingIfNeeded: biased)
    } else {
      tag = SymbolCacheFormat.RowTag.otherLine
    }
    let isOther = tag == SymbolCacheFormat.RowTag.otherLine
    if file != state.file { tag |= SymbolCacheFormat.RowTag.file }
    if column != state.column { tag |= SymbolCacheFormat.RowTag.column }
    lineRows.append(tag)
    if isOther { lineRows.put(folded: Int32(truncatingIfNeeded: delta)) }
    if file != state.file { lineRows.put(varint: file) }
    if column != state.column { lineRows.put(varint: column) }
    state.file = file
    state.line = line
    state.column = column
  }

  // MARK: The file

  private consuming func assemble(
    flags: UInt32, _ object: ObjectFile
  ) throws(ParseError) -> ByteView {
    var size = SymbolCacheFormat.headerSize
    var table: [(offset: Int, count: Int)] = []
    for count in [
      symbolStarts.count, symbolNames.count, scopeStarts.count, scopeBlocks.count,
      scopeRuns.count, scopes.count, functions.count, lineStarts.count, lineBlocks.count,
      lineRows.count, files.count, strings.bytes.count,
    ] {
      table.append((size, count))
      size = (size + count + 7) & ~7
    }
    guard size < Int(UInt32.max) else { throw Self.tooLarge }
    var header = Table<UInt8>(minimumCapacity: SymbolCacheFormat.headerSize)
    for byte in SymbolCacheFormat.magic { header.append(byte) }
    header.put(SymbolCacheFormat.version)
    header.put(flags)
    header.resize(to: 32, filling: 0)
    Self.put(UInt64(size), to: &header)
    Self.put(object.imageBase, to: &header)
    for byte in object.debugID?.uuid ?? [UInt8](repeating: 0, count: 16) { header.append(byte) }
    header.put(object.debugID?.age ?? 0)
    header.put(object.debugID == nil ? 0 : 1)
    for byte in object.architecture.description.utf8.prefix(32) { header.append(byte) }
    header.resize(to: 104, filling: 0)
    header.put(UInt32(SymbolCacheFormat.sectionCount))
    header.resize(to: SymbolCacheFormat.sectionTable, filling: 0)
    for section in table {
      Self.put(UInt64(section.offset), to: &header)
      Self.put(UInt64(section.count), to: &header)
    }
    header.resize(to: SymbolCacheFormat.headerSize, filling: 0)
    let index = SymbolCacheFormat.Section.index.map { section in
      let place = table[section.rawValue]
      return place.offset..<(place.offset + place.count)
    }
    var file = CacheFile(header, size: size)
    file.append(symbolStarts)
    file.append(symbolNames)
    file.append(scopeStarts)
    file.append(scopeBlocks)
    file.append(scopeRuns)
    file.append(scopes)
    file.append(functions)
    file.append(lineStarts)
    file.append(lineBlocks)
    file.append(lineRows)
    file.append(files)
    file.append(strings.bytes)
    return file.finish(index: index)
  }

  private static func put(_ value: UInt64, to header: inout Table<UInt8>) {
    header.put(UInt32(truncatingIfNeeded: value))
    header.put(UInt32(truncatingIfNeeded: value &>> 32))
  }
}
