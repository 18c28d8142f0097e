internal import Bytes
internal import DWARF
internal import DebugInfo
internal import ObjectFormats

/// Writes what has names: the sections of functions and files, and the strings, after those of the
/// symbols.
struct NameWriter: ~Copyable, Sendable {
  var strings: StringPool
  var symbolFiles = Table<UInt8>()
  var functions = Table<UInt8>()
  /// Files of calls, declarations and symbols: offset and length each.
  var files = Table<UInt8>()
  /// Files of lines, the same.
  var lineFiles = Table<UInt8>()
  /// How many more bytes of names may be read: names may overlap, and a small file could ask for
  /// the same long one again and again.
  private var nameBudget: Int

  /// - Parameter known: The parts read of the functions' names; `nil` where none were.
  init(
    _ code: ObjectCode, _ order: ScopeOrder, _ symbols: SymbolNames, _ locations: LineLocations,
    known: FunctionNames?
  ) {
    strings = symbols.takeStrings()
    nameBudget = Self.nameBudget(code)
    writeFunctions(code, order, known: known)
    order.paths.write(code.tables.files, into: &files, strings: &strings)
    writeSymbolFiles(code, symbols.runs)
    locations.paths.write(code.tables.files, into: &lineFiles, strings: &strings)
  }

  /// Twice what the sections that hold names have: linkers let names share their ends, and units
  /// repeat them.
  static func nameBudget(_ code: ObjectCode) -> Int {
    guard let sections = code.sections else { return 0 }
    let own = code.tables.functions.count + sections.scopedNames.count
    let size = ([sections] + sections.others).reduce(own) {
      $0 + $1.strings.count + $1.lineStrings.count + $1.info.count
    }
    return (1 << 20) + 2 * size
  }

  private mutating func writeFunctions(
    _ code: ObjectCode, _ order: ScopeOrder, known: FunctionNames?
  ) {
    functions = Table(minimumCapacity: order.functions.count * SymbolCacheFormat.functionSize)
    for index in 0..<order.functions.count {
      let function = Int(order.functions[index])
      let record = code.tables.functions[function]
      let entry = entry(of: record.name, code, known: known?.name(of: function))
      functions.put(entry?.offset ?? 0)
      functions.put(entry?.count ?? 0)
      functions.put(order.paths.known(record.file))
      functions.put(record.line)
    }
  }

  private mutating func entry(
    of name: TextReference, _ code: ObjectCode, known: FunctionNames.Name?
  ) -> StringPool.Entry? {
    guard let view = code.sections?.view(of: name) else { return nil }
    let bytes = view.bytes
    if let known, Int(known.count) <= nameBudget {
      nameBudget -= Int(known.count)
      return strings.entry(
        of: bytes, from: name.offset, count: Int(known.count), hash: known.hash)
    }
    let count = bytes.textLength(
      from: name.offset, limit: min(DWARFLimits().nameLength, max(nameBudget, 0)))
    nameBudget -= count
    return strings.entry(of: bytes, from: name.offset, count: count)
  }

  private mutating func writeSymbolFiles(_ code: ObjectCode, _ runs: borrowing Table<SymbolRange>) {
    let names = code.symbols.names
    var numbers: [UInt32: UInt32] = [:]
    for index in 0..<runs.count {
      let offset = runs[index].fileNameOffset
      guard offset > 0 || !numbers.isEmpty else { continue }
      if numbers.isEmpty { symbolFiles.resize(to: index * 4, filling: 0) }
      if let number = numbers[offset] {
        symbolFiles.put(number)
        continue
      }
      var number: UInt32 = 0
      let count = names.bytes.textLength(from: Int(offset), limit: DWARFLimits().nameLength)
      if offset > 0, count > 0,
        let entry = strings.entry(of: names.bytes, from: Int(offset), count: count)
      {
        files.put(entry.offset)
        files.put(entry.count)
        number = UInt32(truncatingIfNeeded: files.count / 8)
      }
      numbers[offset] = number
      symbolFiles.put(number)
    }
  }
}
