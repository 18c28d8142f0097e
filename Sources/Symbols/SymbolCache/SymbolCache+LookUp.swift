public import Bytes
public import Identifiers

extension SymbolCache {
  /// The most frames at one address.
  private static let depthLimit = 4_096

  /// Looks up the functions at an offset from the image base, innermost first; `frames` is emptied
  /// first, and stays empty where nothing covers the offset.
  ///
  /// For a return address pass the offset of the call (one less).
  public func lookUp(_ offset: ImageOffset, into frames: inout [SourceFrame]) {
    frames.removeAll(keepingCapacity: true)
    guard let address = UInt32(exactly: offset.value) else { return }
    var found = Table<CacheFrame>()
    lookUp(address, into: &found)
    for index in 0..<found.count { frames.append(SourceFrame(found[index], self)) }
  }

  /// Looks up the functions without creating strings; allocates only where `frames` has to grow.
  public func lookUp(_ offset: UInt32, into frames: inout Table<CacheFrame>) {
    frames.removeAll()
    let file = CacheBytes(bytes.bytes)
    let span = file.searchPairs(sections.spans, for: offset)
    guard span >= 0 else { return }
    let pair = sections.spans.lowerBound &+ span &* 8
    let distance = offset &- file.number(at: pair)
    var page = file.number(at: pair &+ 4) &+ distance &>> SymbolCacheFormat.pageBits
    var slot = UInt8(truncatingIfNeeded: distance)
    let pageEnd = file.number(at: pair &+ 12)
    if page >= pageEnd {
      // After the span its last values remain valid.
      page = pageEnd &- 1
      slot = .max
    }
    let entry = file.number(at: sections.pages.lowerBound &+ Int(page) &* 4)
    if entry & SymbolCacheFormat.emptyPage != 0 { slot = .max }
    let start = Int(entry & ~SymbolCacheFormat.emptyPage)
    guard start < sections.blocks.count else { return }
    readBlock(at: sections.blocks.lowerBound &+ start, slot, file, &frames)
  }

  /// Reads the frames of a byte of a page.
  @inline(__always)
  private func readBlock(
    at block: Int, _ slot: UInt8, _ file: CacheBytes, _ frames: inout Table<CacheFrame>
  ) {
    let head = file.word(at: block)
    let locations = Int(truncatingIfNeeded: head & 0xff)
    let scopes = Int(truncatingIfNeeded: head &>> 8 & 0xff)
    let symbols = Int(truncatingIfNeeded: head &>> 16 & 0xff)
    let form = UInt8(truncatingIfNeeded: head &>> 24)
    let symbolStarts = block &+ SymbolCacheFormat.blockHeader
    let scopeStarts = symbolStarts &+ symbols
    let locationStarts = scopeStarts &+ scopes
    let scopeNumbers = locationStarts &+ locations
    let scopeSize = (1 &<< Int(form & 3)) &>> 1
    let lines = scopeNumbers &+ (scopes &+ 1) &* scopeSize

    // Read first, so that later steps need not wait for it.
    let symbol = self.symbol(
      at: Int(file.number(at: block &+ 8)) &+ file.countUpTo(slot, of: symbols, at: symbolStarts)
        &- 1, file)
    let scope = scopeNumber(
      at: scopeNumbers &+ file.countUpTo(slot, of: scopes, at: scopeStarts) &* scopeSize,
      size: scopeSize, from: UInt32(truncatingIfNeeded: head &>> 32), file)
    var frame = CacheFrame()
    let index = file.countUpTo(slot, of: locations, at: locationStarts)
    let isKnown = readLocation(index, of: locations &+ 1, at: lines, form, file, &frame)
    if scope > 0 {
      addScopes(scope &- 1, frame, file, &frames)
    } else if isKnown {
      frames.append(frame)
    }
    nameOutermost(symbol, file, &frames)
  }

  /// A symbol that names code.
  private struct Symbol {
    var index: Int
    /// Empty for none.
    var name = CacheFrame.Text()
    var start: UInt32 = 0
  }

  @inline(__always)
  private func symbol(at index: Int, _ file: CacheBytes) -> Symbol {
    let entry = sections.symbols.lowerBound &+ index &* SymbolCacheFormat.symbolSize
    guard index >= 0, entry &+ SymbolCacheFormat.symbolSize <= sections.symbols.upperBound else {
      return Symbol(index: index)
    }
    return Symbol(index: index, name: text(at: entry &+ 4, file), start: file.number(at: entry))
  }

  /// Names the outermost frame after a symbol.
  @inline(__always)
  private func nameOutermost(
    _ symbol: Symbol, _ file: CacheBytes, _ frames: inout Table<CacheFrame>
  ) {
    guard !symbol.name.isEmpty else { return }
    if frames.isEmpty { frames.append(CacheFrame()) }
    let last = frames.count &- 1
    var frame = frames[last]
    frame.sourceName =
      frame.name.isEmpty && isDecoratingC ? plainName(of: symbol.name) : frame.name
    frame.name = symbol.name
    frame.functionStart = symbol.start
    let source = sections.symbolFiles.lowerBound &+ symbol.index &* 4
    if frame.file.isEmpty, frame.line == 0, source &+ 4 <= sections.symbolFiles.upperBound {
      frame.file = fileText(file.number(at: source), in: sections.files, file)
    }
    frames[last] = frame
  }

  /// The string whose offset and length are stored at `entry`, as a range of the file.
  @inline(__always)
  private func text(at entry: Int, _ file: CacheBytes) -> CacheFrame.Text {
    let word = file.word(at: entry)
    let offset = word & 0xffff_ffff
    let count = word &>> 32
    guard offset &+ count <= UInt64(truncatingIfNeeded: sections.strings.count) else {
      return CacheFrame.Text()
    }
    return CacheFrame.Text(
      offset: UInt32(
        truncatingIfNeeded: UInt64(truncatingIfNeeded: sections.strings.lowerBound) &+ offset),
      count: UInt32(truncatingIfNeeded: count))
  }

  @inline(__always)
  private func fileText(
    _ number: UInt32, in files: Range<Int>, _ file: CacheBytes
  ) -> CacheFrame.Text {
    guard number > 0, Int(number) &* 8 <= files.count else { return CacheFrame.Text() }
    return text(at: files.lowerBound &+ (Int(number) &- 1) &* 8, file)
  }

  // MARK: Locations

  /// Reads location `index` of the `count` whose lines begin at `lines` into `frame`.
  ///
  /// - Returns: Whether it is known.
  @inline(__always)
  private func readLocation(
    _ index: Int, of count: Int, at lines: Int, _ form: UInt8, _ file: CacheBytes,
    _ frame: inout CacheFrame
  ) -> Bool {
    guard form & SymbolCacheFormat.BlockForm.hasLocations != 0 else { return false }
    let columnSize = Int(form &>> SymbolCacheFormat.BlockForm.columns & 3)
    let indexBits = Int(form &>> SymbolCacheFormat.BlockForm.indices & 3) &* 4
    let columns = lines &+ count
    let indices = columns &+ count &* columnSize
    let locations = indices &+ (count &* indexBits &+ 7) &>> 3
    let bit = index &* indexBits
    let which =
      Int(file.number(at: indices &+ bit &>> 3)) &>> (bit & 7) & (1 &<< indexBits &- 1)
    let location = file.word(at: locations &+ which &* locationBytes)
    let isWide = locationBytes == 8
    let number = UInt32(truncatingIfNeeded: isWide ? location : location & 0xffff)
    let line = UInt32(truncatingIfNeeded: isWide ? location &>> 32 : location &>> 16 & 0xff_ffff)
    frame.line = line &+ file.number(at: lines &+ index) & 0xff
    frame.column =
      file.number(at: columns &+ index &* columnSize) & (1 &<< UInt32(columnSize &* 8) &- 1)
    frame.file = fileText(number, in: sections.lineFiles, file)
    return number | frame.line | frame.column != 0
  }

  // MARK: Scopes

  /// The number of a scope plus 1; 0 for none.
  @inline(__always)
  private func scopeNumber(
    at offset: Int, size: Int, from base: UInt32, _ file: CacheBytes
  ) -> Int {
    let number = UInt64(file.number(at: offset)) & (1 &<< UInt64(size &* 8) &- 1)
    let isNone = size > 0 && number == 0
    return isNone ? 0 : Int(truncatingIfNeeded: number &+ UInt64(base))
  }

  @inline(__always)
  private func addScopes(
    _ innermost: Int, _ location: CacheFrame, _ file: CacheBytes, _ frames: inout Table<CacheFrame>
  ) {
    let form = scopeForm
    var index = innermost
    var frame = location
    for _ in 0..<Self.depthLimit {
      guard index >= 0, index &* 8 < sections.scopes.count else { return }
      let scope = self.scope(at: index, form, file)
      let entry =
        sections.functions.lowerBound
        &+ Int(scope.function) &* SymbolCacheFormat.functionSize
      if entry < sections.functions.upperBound {
        let declaration = file.word(at: entry &+ 8)
        frame.name = text(at: entry, file)
        frame.declarationFile = fileText(
          UInt32(truncatingIfNeeded: declaration), in: sections.files, file)
        frame.declarationLine = UInt32(truncatingIfNeeded: declaration &>> 32)
      }
      if scope.distance == 0 {
        frame.functionStart = scope.fileOrEntry
        frames.append(frame)
        return
      }
      frame.isInlined = true
      frames.append(frame)
      frame = CacheFrame()
      frame.file = fileText(scope.fileOrEntry, in: sections.files, file)
      frame.line = scope.line
      frame.column = scope.column
      index &-= Int(scope.distance)
    }
  }

  /// The fields of a scope in the sections of scopes.
  private struct Scope {
    var function: UInt32
    var distance: UInt32
    var fileOrEntry: UInt32
    var line: UInt32
    var column: UInt32
  }

  @inline(__always)
  private func scope(at index: Int, _ form: ScopeForm, _ file: CacheBytes) -> Scope {
    var word = file.word(at: sections.scopes.lowerBound &+ index &* 8)
    let function = word & form.mask(form.function)
    word &>>= UInt64(form.function)
    if function == form.wide { return wideScope(at: Int(truncatingIfNeeded: word), file) }
    let distance = word & form.mask(form.distance)
    word &>>= UInt64(form.distance)
    let number = distance == 0 ? 0xffff_ffff : form.mask(form.file)
    let fileOrEntry = word & number
    word &>>= UInt64(form.file)
    let line = word & form.mask(form.line)
    word &>>= UInt64(form.line)
    let column = word & form.mask(form.column)
    return Scope(
      function: UInt32(truncatingIfNeeded: function),
      distance: UInt32(truncatingIfNeeded: distance),
      fileOrEntry: UInt32(truncatingIfNeeded: fileOrEntry),
      line: UInt32(truncatingIfNeeded: line), column: UInt32(truncatingIfNeeded: column))
  }

  @inline(never)
  private func wideScope(at index: Int, _ file: CacheBytes) -> Scope {
    guard index >= 0, index < sections.wideScopes.count / SymbolCacheFormat.wideScopeSize else {
      return Scope(function: .max, distance: 0, fileOrEntry: .max, line: 0, column: 0)
    }
    let start = sections.wideScopes.lowerBound &+ index &* SymbolCacheFormat.wideScopeSize
    return Scope(
      function: file.number(at: start), distance: file.number(at: start &+ 4),
      fileOrEntry: file.number(at: start &+ 8), line: file.number(at: start &+ 12),
      column: file.number(at: start &+ 16))
  }
}
