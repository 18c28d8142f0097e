internal import Bytes
internal import DWARF
internal import DebugInfo
internal import FlatFile
internal import ObjectFormats
internal import Workers

/// Writes the code of an object as a symbol cache.
///
/// Everything is numbered in the order in which it is first met, so that the same object gives the
/// same bytes. What needs nothing of each other is made side by side:
///
///     one thread            another
///     sorted ranges         locations of lines, lengths and hashes of functions' names
///     layout and numbers    symbols and their names
///     names                 scopes, blocks
struct CacheWriter: ~Copyable {
  private let locations: LineLocations
  private let symbols: SymbolNames
  private let names: NameWriter
  private let scopes: ScopeWriter
  private let blocks: [BlockPart]
  private let notes: [String]
  private let hasDebugInfo: Bool

  /// The product of a thread.
  private enum ThreadResult: Sendable {
    case names(Handover<NameWriter>)
    case scopes(Handover<ScopeWriter>)
    case blocks(BlockPart)
  }

  init(_ code: ObjectCode, options: CacheOptions) {
    let keepsColumns = options.keepsColumns
    let hasThreads = options.width > 1
    let seed = UInt64.random(in: 0...(.max))
    let reading = Background(isOn: hasThreads) {
      let locations = LineLocations(code, keepsColumns: keepsColumns)
      let budget = NameWriter.nameBudget(code)
      // One thread alone reads the names when it needs them.
      return (locations, names: hasThreads ? FunctionNames(code, budget: budget, seed: seed) : nil)
    }
    let codeRanges = code.codeRanges
    let naming = Background(isOn: hasThreads) { SymbolNames(code, beside: codeRanges, seed: seed) }
    let order = ScopeOrder(code, codeRanges)
    let symbols = naming.value()
    let (locations, known) = reading.value()
    let ranges = PageRange.ranges(order.layout, count: hasThreads ? options.width * 4 : 1)
    // The names take longest and cannot be shared out, so they come first.
    let results = Workers.map(count: ranges.count + 2, width: options.width) {
      index -> ThreadResult in
      switch index {
      case 0: .names(Handover(NameWriter(code, order, symbols, locations, known: known)))
      case 1: .scopes(Handover(ScopeWriter(order, keepsColumns: keepsColumns)))
      default:
        .blocks(BlockPart(BlockWriter(code, order, symbols, locations, in: ranges[index - 2])))
      }
    }
    var names: NameWriter?
    var scopes: ScopeWriter?
    var blocks: [BlockPart] = []
    for result in results {
      switch result {
      case .names(let handover): names = handover.take()
      case .scopes(let handover): scopes = handover.take()
      case .blocks(let part): blocks.append(part)
      }
    }
    guard let names = consume names, let scopes = consume scopes else {
      preconditionFailure("a part is missing")
    }
    self.locations = locations
    self.symbols = symbols
    self.names = names
    self.scopes = scopes
    self.blocks = blocks
    notes = code.notes + order.layout.notes
    hasDebugInfo = code.sections != nil
  }

  /// The cache of `object`, whose code this is.
  ///
  /// - Throws: ``ParseError`` when the cache would need more than 4 GiB.
  consuming func write(_ object: ObjectFile) throws(ParseError) -> CompiledCache {
    let blockSize = blocks.reduce(0) { $0 + $1.blocks.count }
    let form = scopes.form
    let table = PageTable(blocks)
    var text = Table<UInt8>()
    for byte in notes.joined(separator: "\n").utf8 { text.append(byte) }
    var file = FlatFileWriter(SymbolCacheFormat.layout)
    file.append(table.spans)
    file.append(table.pages)
    file.append(blocks.map(\.blocks))
    file.append(scopes.scopes)
    file.append(scopes.wideScopes)
    file.append(names.functions)
    file.append([symbols.section])
    file.append(names.symbolFiles)
    file.append(names.lineFiles)
    file.append(names.files)
    file.append(names.strings.bytes)
    file.append(text)
    // Offsets are numbers of four bytes, and those of blocks have one bit less.
    guard file.size < Int(UInt32.max), blockSize < Int(Int32.max) else {
      throw ParseError(
        .limit(name: "bytes in a symbol cache", value: Int(UInt32.max)), in: "symbol cache", at: 0)
    }
    var flags: UInt32 = 0
    if locations.paths.files.count > 0 { flags |= SymbolCacheFormat.Flags.lines }
    if locations.keepsColumns { flags |= SymbolCacheFormat.Flags.columns }
    if hasDebugInfo { flags |= SymbolCacheFormat.Flags.debugInfo }
    if object.isDecoratingC {
      flags |= SymbolCacheFormat.Flags.decoratedC
      if object.hasUnderscores { flags |= SymbolCacheFormat.Flags.underscores }
    }
    let widths = [
      form.function, form.distance, form.file, form.line, form.column, locations.isWide ? 8 : 5,
    ]
    let subject = FlatFileSubject(
      debugID: object.debugID, architecture: object.architecture, imageBase: object.imageBase)
    let parts = file.finish(
      subject, flags: flags, fields: [(SymbolCacheFormat.widths, widths)])
    return CompiledCache(parts: parts, notes: notes)
  }
}
