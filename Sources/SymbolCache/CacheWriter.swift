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
  private var symbolFiles = Table<UInt8>()
  private var scopeStarts = Table<UInt8>()
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
  /// How many more bytes of names may be read: names may overlap, and a small file could ask for the
  /// same long one again and again.
  private var nameBudget = 0
  private let keepsColumns: Bool

  init(keepsColumns: Bool) { self.keepsColumns = keepsColumns }

  /// The cache of `code`, which was read from `object`.
  ///
  /// - Throws: ``ParseError`` when the cache would need more than 4 GiB.
  consuming func write(
    _ code: borrowing ObjectCode, of object: ObjectFile
  ) throws(ParseError) -> ByteView {
    nameBudget = Self.nameBudget(code)
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
    return try assemble(flags: flags, notes: code.notes, object)
  }

  private static var tooLarge: ParseError {
    ParseError(
      .limit(name: "bytes in a symbol cache", value: Int(UInt32.max)), in: "symbol cache", at: 0)
  }

  // MARK: Names

  /// Twice what the sections that hold names have: linkers let names share their ends, and units
  /// repeat them.
  private static func nameBudget(_ code: borrowing ObjectCode) -> Int {
    guard let sections = code.sections else { return 0 }
    var size = code.tables.functions.count
    for part in [sections] + sections.others {
      size += part.strings.count + part.lineStrings.count + part.info.count
    }
    return (1 << 20) + 2 * size
  }

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
    writeSymbolFiles(code)
  }

  private mutating func writeSymbolFiles(_ code: borrowing ObjectCode) {
    let names = code.symbols.names
    var numbers: [UInt32: UInt32] = [:]
    for index in 0..<code.symbolRuns.count {
      let offset = code.symbolRuns[index].fileNameOffset
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
        fileCount += 1
        number = fileCount
      }
      numbers[offset] = number
      symbolFiles.put(number)
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
    if let view = code.sections?.view(of: record.name) {
      let bytes = view.bytes
      let count = bytes.textLength(
        from: record.name.offset, limit: min(DWARFLimits().nameLength, max(nameBudget, 0)))
      nameBudget -= count
      place = strings.place(of: bytes, from: record.name.offset, count: count)
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
    var block = Block()
    for index in 0..<code.segments.count {
      let segment = code.segments[index]
      if block.isFull(for: segment.start) {
        scopeStarts.put(segment.start)
        block.begin(at: segment.start, in: &scopeRuns)
        scopeRuns.resize(
          to: block.offset + SymbolCacheFormat.scopeBlockSize, filling: 0)
      }
      let slot = block.count
      block.add(segment.start, to: &scopeRuns)
      guard segment.scope != CodeTables.none else { continue }
      let value = offsets[Int(segment.scope)] &+ 1
      let place = block.offset + SymbolCacheFormat.blockStarts + slot * 4
      for byte in 0..<4 {
        scopeRuns[place + byte] = UInt8(truncatingIfNeeded: value &>> UInt32(byte * 8))
      }
    }
  }

  /// A block of runs or rows that is being written.
  struct Block {
    /// Where it begins in its section.
    private(set) var offset = 0
    private(set) var count = SymbolCacheFormat.blockCount
    private var start: UInt32 = 0

    /// Whether a run that begins at `address` needs another block.
    @inline(__always)
    func isFull(for address: UInt32) -> Bool {
      count == SymbolCacheFormat.blockCount || address &- start > SymbolCacheFormat.blockReach
    }

    mutating func begin(at address: UInt32, in section: inout Table<UInt8>) {
      offset = section.count
      start = address
      count = 0
      section.resize(to: offset + SymbolCacheFormat.blockStarts, filling: 0xff)
    }

    @inline(__always)
    mutating func add(_ address: UInt32, to section: inout Table<UInt8>) {
      let distance = address &- start
      section[offset &+ count &* 2] = UInt8(truncatingIfNeeded: distance)
      section[offset &+ count &* 2 &+ 1] = UInt8(truncatingIfNeeded: distance &>> 8)
      count &+= 1
    }
  }

  // MARK: Lines

  /// What the rows of a block are written against.
  struct RowState {
    var file: UInt32 = 0
    var line: UInt32 = 0
    var column: UInt32 = 0
    var place: UInt64 = 0
    var block = Block()
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
    if state.block.isFull(for: address) {
      lineStarts.put(address)
      lineBlocks.put(UInt32(truncatingIfNeeded: lineRows.count))
      state.block.begin(at: address, in: &lineRows)
      state.file = 0
      state.line = 0
      state.column = 0
    }
    state.block.add(address, to: &lineRows)
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
    flags: UInt32, notes: [String], _ object: ObjectFile
  ) throws(ParseError) -> ByteView {
    var lines = Table<UInt8>()
    for byte in notes.joined(separator: "\n").utf8 { lines.append(byte) }
    var size = SymbolCacheFormat.headerSize
    var table: [(offset: Int, count: Int)] = []
    for count in [
      symbolStarts.count, symbolNames.count, scopeStarts.count, scopeRuns.count,
      scopes.count, functions.count, lineStarts.count, lineBlocks.count,
      lineRows.count, files.count, strings.bytes.count, symbolFiles.count,
      lines.count,
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
    file.append(scopeRuns)
    file.append(scopes)
    file.append(functions)
    file.append(lineStarts)
    file.append(lineBlocks)
    file.append(lineRows)
    file.append(files)
    file.append(strings.bytes)
    file.append(symbolFiles)
    file.append(lines)
    return file.finish(index: index)
  }

  private static func put(_ value: UInt64, to header: inout Table<UInt8>) {
    header.put(UInt32(truncatingIfNeeded: value))
    header.put(UInt32(truncatingIfNeeded: value &>> 32))
  }
}
