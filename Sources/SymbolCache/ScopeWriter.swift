internal import Bytes
internal import DWARF
internal import DebugInfo
internal import ObjectFormats

/// Writes what the code is: the sections of symbols, scopes and functions, and their names.
struct ScopeWriter: ~Copyable, Sendable {
  var strings = StringPool()
  var symbols = Table<UInt8>()
  var symbolFiles = Table<UInt8>()
  var scopes = Table<UInt8>()
  var wideScopes = Table<UInt8>()
  var functions = Table<UInt8>()
  /// Files of calls, declarations and symbols: offset and length each.
  var files = Table<UInt8>()
  private(set) var form = ScopeForm(functionCount: 0, fileCount: 0)
  private var paths: PathTable
  private var functionNumbers: Table<UInt32>
  private var functionCount: UInt32 = 0
  /// How many more bytes of names may be read: names may overlap, and a small file could ask for the
  /// same long one again and again.
  private var nameBudget: Int
  private let keepsColumns: Bool

  init(_ code: ObjectCode, _ order: ScopeOrder, keepsColumns: Bool) {
    self.keepsColumns = keepsColumns
    nameBudget = Self.nameBudget(code)
    paths = PathTable(fileCount: code.tables.files.count)
    functionNumbers = Table(repeating: 0, count: code.tables.functions.count)
    writeSymbols(code, order.layout)
    writeFunctions(code, order)
    form = ScopeForm(functionCount: Int(functionCount), fileCount: paths.files.count)
    writeScopes(code, order)
    paths.write(code.tables.files, into: &files, strings: &strings)
    writeSymbolFiles(code, order.layout)
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
      symbols.put(run.start)
      symbols.put(place?.offset ?? 0)
      symbols.put(place?.count ?? 0)
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

  /// Numbers the functions and files that scopes name.
  private mutating func writeFunctions(_ code: ObjectCode, _ order: ScopeOrder) {
    for index in 0..<order.scopes.count {
      let record = code.tables.scopes[Int(order.scopes[index])]
      if functionNumbers[Int(record.function)] == 0 { writeFunction(record.function, code) }
      if record.parent != CodeTables.none { _ = paths.number(of: record.callFileOrEntry) }
    }
  }

  private mutating func writeFunction(_ function: UInt32, _ code: ObjectCode) {
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
  }

  private mutating func writeScopes(_ code: ObjectCode, _ order: ScopeOrder) {
    let form = form
    scopes = Table(minimumCapacity: order.scopes.count * 8)
    for index in 0..<order.scopes.count {
      let record = code.tables.scopes[Int(order.scopes[index])]
      let function = UInt64(functionNumbers[Int(record.function)] &- 1)
      var distance: UInt64 = 0
      var fileOrEntry = UInt64(record.callFileOrEntry)
      var line: UInt64 = 0
      var column: UInt64 = 0
      var word = fileOrEntry
      var isWide = function >= form.wide
      if record.parent != CodeTables.none {
        distance = UInt64(index + 1) &- UInt64(order.numbers[Int(record.parent)])
        fileOrEntry = UInt64(paths.known(record.callFileOrEntry))
        line = UInt64(record.callLine)
        column = keepsColumns ? UInt64(record.callColumn) : 0
        isWide =
          isWide || distance > form.mask(form.distance) || fileOrEntry > form.mask(form.file)
          || line > form.mask(form.line) || column > form.mask(form.column)
        word = (column &<< UInt64(form.line) | line) &<< UInt64(form.file) | fileOrEntry
      }
      if isWide {
        let number = wideScopes.count / SymbolCacheFormat.wideScopeSize
        scopes.put(UInt64(number) &<< UInt64(form.function) | form.wide)
        for number in [function, distance, fileOrEntry, line, column] {
          wideScopes.put(UInt32(truncatingIfNeeded: number))
        }
      } else {
        scopes.put((word &<< UInt64(form.distance) | distance) &<< UInt64(form.function) | function)
      }
    }
  }
}
