internal import Bytes
internal import DWARF
internal import DebugInfo
internal import ObjectFormats
internal import Synchronization
internal import Workers

/// Writes the code of an object as a symbol cache.
///
/// Everything is numbered in the order in which it is first met, so that the same object gives the
/// same bytes.
struct CacheWriter: ~Copyable {
  private var scopes: ScopeWriter
  private let blocks: [BlockPart]
  private var lineFiles = Table<UInt8>()
  private let notes: [String]
  private let hasDebugInfo: Bool
  private let places: LinePlaces

  /// What a thread makes.
  private enum Part: Sendable {
    case scopes(ScopeBox)
    case blocks(BlockPart)
  }

  private final class ScopeBox: Sendable {
    let writer: Mutex<ScopeWriter?>

    init(_ writer: consuming ScopeWriter) { self.writer = Mutex(writer) }
  }

  init(_ code: ObjectCode, options: CacheOptions) {
    let keepsColumns = options.keepsColumns
    let places = Background(isOn: options.width > 1) {
      LinePlaces(code, keepsColumns: keepsColumns)
    }
    let order = ScopeOrder(code, width: options.width)
    self.places = places.value()
    let ranges = PageRange.ranges(
      order.layout, count: options.width > 1 ? options.width * 4 : 1)
    let parts = Workers.map(count: ranges.count + 1, width: options.width) {
      [places = self.places] index -> Part in
      if index == 0 {
        return .scopes(ScopeBox(ScopeWriter(code, order, keepsColumns: keepsColumns)))
      }
      return .blocks(BlockPart(BlockWriter(code, order, places, in: ranges[index - 1])))
    }
    var blocks: [BlockPart] = []
    var scopes: ScopeWriter?
    for part in parts {
      switch part {
      case .scopes(let box): scopes = box.writer.withLock { $0.take() }
      case .blocks(let part): blocks.append(part)
      }
    }
    self.blocks = blocks
    self.scopes = scopes ?? ScopeWriter(code, order, keepsColumns: keepsColumns)
    notes = code.notes + order.layout.notes
    hasDebugInfo = code.sections != nil
    self.places.paths.write(
      code.tables.files, into: &lineFiles, strings: &self.scopes.strings)
  }

  /// The cache of `object`, whose code this is.
  ///
  /// - Throws: ``ParseError`` when the cache would need more than 4 GiB.
  consuming func write(_ object: ObjectFile) throws(ParseError) -> CompiledCache {
    var text = Table<UInt8>()
    for byte in notes.joined(separator: "\n").utf8 { text.append(byte) }
    var table = PageTable(blocks)
    let blockSize = blocks.reduce(0) { $0 + $1.writer.blocks.count }
    var size = SymbolCacheFormat.headerSize
    var sections: [Range<Int>] = []
    for count in [
      table.stretches.count, table.pages.count, blockSize, scopes.scopes.count,
      scopes.wideScopes.count, scopes.functions.count, scopes.symbols.count,
      scopes.symbolFiles.count, lineFiles.count, scopes.files.count, scopes.strings.bytes.count,
      text.count,
    ] {
      sections.append(size..<(size + count))
      size = SymbolCacheFormat.aligned(size + count)
    }
    size += SymbolCacheFormat.alignment
    // Places are numbers of four bytes, and those of blocks have one bit less.
    guard size < Int(UInt32.max), blockSize < Int(Int32.max) else {
      throw ParseError(
        .limit(name: "bytes in a symbol cache", value: Int(UInt32.max)), in: "symbol cache", at: 0)
    }
    var flags: UInt32 = 0
    if places.paths.files.count > 0 { flags |= SymbolCacheFormat.Flags.lines }
    if places.keepsColumns { flags |= SymbolCacheFormat.Flags.columns }
    if hasDebugInfo { flags |= SymbolCacheFormat.Flags.debugInfo }
    var file = CacheFile(sections: sections, size: size)
    file.append(&table.stretches)
    file.append(&table.pages)
    for part in blocks { file.add(part.writer.blocks) }
    file.fillUp()
    file.append(&scopes.scopes)
    file.append(&scopes.wideScopes)
    file.append(&scopes.functions)
    file.append(&scopes.symbols)
    file.append(&scopes.symbolFiles)
    file.append(&lineFiles)
    file.append(&scopes.files)
    file.append(&scopes.strings.bytes)
    file.append(&text)
    let bytes = file.finish(
      object, flags: flags, form: scopes.form, placeBytes: places.isWide ? 8 : 5)
    return CompiledCache(bytes: bytes, notes: notes)
  }
}
