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
  private var lines: LineWriter
  private var lineFiles = Table<UInt8>()
  private let notes: [String]
  private let hasDebugInfo: Bool
  private let keepsColumns: Bool

  /// What another thread wrote.
  private final class LineBox: Sendable {
    let lines: Mutex<LineWriter?>

    init(_ lines: consuming LineWriter) { self.lines = Mutex(lines) }
  }

  init(_ code: ObjectCode, options: CacheOptions) {
    let keepsColumns = options.keepsColumns
    let box = Background(isOn: options.width > 1) {
      LineBox(LineWriter(code, keepsColumns: keepsColumns))
    }
    let layout = code.layout()
    scopes = ScopeWriter(code, layout, keepsColumns: keepsColumns)
    notes = code.notes + layout.notes
    hasDebugInfo = code.sections != nil
    self.keepsColumns = keepsColumns
    lines =
      box.value().lines.withLock { $0.take() } ?? LineWriter(code, keepsColumns: keepsColumns)
    lines.paths.write(code.tables.files, into: &lineFiles, strings: &scopes.strings)
  }

  /// The cache of `object`, whose code this is.
  ///
  /// - Throws: ``ParseError`` when the cache would need more than 4 GiB.
  consuming func write(_ object: ObjectFile) throws(ParseError) -> CompiledCache {
    var text = Table<UInt8>()
    for byte in notes.joined(separator: "\n").utf8 { text.append(byte) }
    var size = SymbolCacheFormat.headerSize
    var sections: [Range<Int>] = []
    for count in [
      scopes.symbolStarts.count, scopes.symbolNames.count, scopes.starts.count,
      scopes.runs.count, scopes.scopes.count, scopes.functions.count, lines.starts.count,
      lines.blocks.count, lines.rows.count, lineFiles.count, scopes.strings.bytes.count,
      scopes.symbolFiles.count, text.count, scopes.files.count,
    ] {
      sections.append(size..<(size + count))
      size = (size + count + 7) & ~7
    }
    // Places are numbers of four bytes, and those of scopes are less than half of them.
    guard size < Int(UInt32.max), scopes.scopes.count < Int(Int32.max) else {
      throw ParseError(
        .limit(name: "bytes in a symbol cache", value: Int(UInt32.max)), in: "symbol cache", at: 0)
    }
    var flags: UInt32 = 0
    if lines.rows.count > 0 { flags |= SymbolCacheFormat.Flags.lines }
    if keepsColumns { flags |= SymbolCacheFormat.Flags.columns }
    if hasDebugInfo { flags |= SymbolCacheFormat.Flags.debugInfo }
    var file = CacheFile(sections: sections, size: size)
    file.append(&scopes.symbolStarts)
    file.append(&scopes.symbolNames)
    file.append(&scopes.starts)
    file.append(&scopes.runs)
    file.append(&scopes.scopes)
    file.append(&scopes.functions)
    file.append(&lines.starts)
    file.append(&lines.blocks)
    file.append(&lines.rows)
    file.append(&lineFiles)
    file.append(&scopes.strings.bytes)
    file.append(&scopes.symbolFiles)
    file.append(&text)
    file.append(&scopes.files)
    return CompiledCache(bytes: file.finish(object, flags: flags), notes: notes)
  }
}
