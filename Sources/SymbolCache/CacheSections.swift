/// Where the sections of a cache lie; all inside the file.
struct CacheSections: Sendable {
  let symbolStarts: Range<Int>
  let symbolNames: Range<Int>
  let scopeStarts: Range<Int>
  let scopeRuns: Range<Int>
  let scopes: Range<Int>
  let functions: Range<Int>
  let lineStarts: Range<Int>
  let lineBlocks: Range<Int>
  let lineRows: Range<Int>
  let lineFiles: Range<Int>
  let strings: Range<Int>
  let symbolFiles: Range<Int>
  let notes: Range<Int>
  let files: Range<Int>

  /// - Parameter ranges: In the order of the format, all of them.
  init(_ ranges: [Range<Int>]) {
    func range(_ section: SymbolCacheFormat.Section) -> Range<Int> { ranges[section.rawValue] }
    symbolStarts = range(.symbolStarts)
    symbolNames = range(.symbolNames)
    scopeStarts = range(.scopeStarts)
    scopeRuns = range(.scopeRuns)
    scopes = range(.scopes)
    functions = range(.functions)
    lineStarts = range(.lineStarts)
    lineBlocks = range(.lineBlocks)
    lineRows = range(.lineRows)
    lineFiles = range(.lineFiles)
    strings = range(.strings)
    symbolFiles = range(.symbolFiles)
    notes = range(.notes)
    files = range(.files)
  }
}
