/// Where the sections of a cache lie; all inside the file.
struct CacheSections: Sendable {
  let spans: Range<Int>
  let pages: Range<Int>
  let blocks: Range<Int>
  let scopes: Range<Int>
  let wideScopes: Range<Int>
  let functions: Range<Int>
  let symbols: Range<Int>
  let symbolFiles: Range<Int>
  let lineFiles: Range<Int>
  let files: Range<Int>
  let strings: Range<Int>
  let notes: Range<Int>

  /// - Parameter ranges: In the order of the format, all of them.
  init(_ ranges: [Range<Int>]) {
    func range(_ section: SymbolCacheFormat.Section) -> Range<Int> { ranges[section.rawValue] }
    spans = range(.spans)
    pages = range(.pages)
    blocks = range(.blocks)
    scopes = range(.scopes)
    wideScopes = range(.wideScopes)
    functions = range(.functions)
    symbols = range(.symbols)
    symbolFiles = range(.symbolFiles)
    lineFiles = range(.lineFiles)
    files = range(.files)
    strings = range(.strings)
    notes = range(.notes)
  }
}
