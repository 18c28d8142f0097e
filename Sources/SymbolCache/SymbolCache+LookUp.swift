public import Bytes
public import CrashModel

extension SymbolCache {
  /// The most frames that one address has.
  private static let depthLimit = 4_096

  /// The functions at an offset from the image base, innermost first; `frames` is emptied before, and
  /// stays empty where nothing covers the offset.
  ///
  /// For a return address pass the offset of the call (one less).
  public func lookUp(_ offset: ImageOffset, into frames: inout [SourceFrame]) {
    frames.removeAll(keepingCapacity: true)
    guard let place = UInt32(exactly: offset.value) else { return }
    var found = Table<CacheFrame>()
    lookUp(place, into: &found)
    for index in 0..<found.count { frames.append(SourceFrame(found[index], self)) }
  }

  /// The same without making strings; allocates only where `frames` has to grow.
  public func lookUp(_ offset: UInt32, into frames: inout Table<CacheFrame>) {
    frames.removeAll()
    let file = CacheBytes(bytes.bytes)
    // The three searches do not wait for each other's memory.
    let lineBlock = file.search(sections.lineStarts, index: 2, for: offset)
    let scopeBlock = file.search(sections.scopeStarts, index: 1, for: offset)
    let symbol = file.search(sections.symbolStarts, index: 0, for: offset)
    // The chain of calls, from the scopes.
    let scope = findScope(offset, in: scopeBlock, file)
    // The place in the source, from the line rows.
    var place = CacheFrame()
    let hasPlace = findLine(offset, in: lineBlock, file, &place)
    if scope >= 0 {
      addScopes(scope, place, file, &frames)
    } else if hasPlace {
      frames.append(place)
    }
    nameOutermost(symbol, file, &frames)
  }

  /// The symbol at `index` names the outermost frame.
  private func nameOutermost(
    _ index: Int, _ file: CacheBytes, _ frames: inout Table<CacheFrame>
  ) {
    guard index >= 0 else { return }
    let entry = sections.symbolNames.lowerBound &+ index &* 8
    guard entry &+ 8 <= sections.symbolNames.upperBound else { return }
    let name = text(at: entry, file)
    guard !name.isEmpty else { return }
    if frames.isEmpty { frames.append(CacheFrame()) }
    let last = frames.count &- 1
    var frame = frames[last]
    frame.sourceName = frame.name
    frame.name = name
    frame.functionStart = file.number(at: sections.symbolStarts.lowerBound &+ index &* 4)
    let source = sections.symbolFiles.lowerBound &+ index &* 4
    if frame.file.isEmpty, frame.line == 0, source &+ 4 <= sections.symbolFiles.upperBound {
      frame.file = fileText(file.number(at: source), in: sections.files, file)
    }
    frames[last] = frame
  }

  /// The string whose offset and length stand at `entry`, as a place in the file.
  @inline(__always)
  private func text(at entry: Int, _ file: CacheBytes) -> CacheFrame.Text {
    let offset = UInt64(file.number(at: entry))
    let count = UInt64(file.number(at: entry &+ 4))
    guard offset &+ count <= UInt64(sections.strings.count) else { return CacheFrame.Text() }
    return CacheFrame.Text(
      offset: UInt32(truncatingIfNeeded: UInt64(sections.strings.lowerBound) &+ offset),
      count: UInt32(truncatingIfNeeded: count))
  }

  @inline(__always)
  private func fileText(
    _ number: UInt32, in files: Range<Int>, _ file: CacheBytes
  ) -> CacheFrame.Text {
    guard number > 0, Int(number) <= files.count / 8 else { return CacheFrame.Text() }
    return text(at: files.lowerBound &+ (Int(number) &- 1) &* 8, file)
  }

  // MARK: Lines

  private func findLine(
    _ offset: UInt32, in block: Int, _ file: CacheBytes, _ frame: inout CacheFrame
  ) -> Bool {
    guard block >= 0 else { return false }
    let start = file.number(at: sections.lineStarts.lowerBound &+ block &* 4)
    var position =
      sections.lineRows.lowerBound
      &+ Int(file.number(at: sections.lineBlocks.lowerBound &+ block &* 4))
    let end = sections.lineRows.upperBound
    let count = file.countUpTo(offset &- start, at: position)
    position &+= SymbolCacheFormat.blockStarts
    var number: UInt32 = 0
    var line: UInt32 = 0
    var column: UInt32 = 0
    var isKnown = false
    for _ in 0..<count {
      guard position < end else { break }
      let tag = file.byte(at: position)
      position &+= 1
      let code = tag & SymbolCacheFormat.RowTag.lineMask
      let next = file.byte(at: position)
      if code < SymbolCacheFormat.RowTag.otherLine, tag & SymbolCacheFormat.RowTag.file == 0,
        tag & next < 0x80
      {
        // Most rows: a small step, and no column or one of a byte, between which nothing can be
        // guessed; so there is no branch.
        isKnown = true
        line = line &+ UInt32(code) &- UInt32(SymbolCacheFormat.RowTag.lineBias)
        let hasColumn = UInt32(tag &>> 7)
        let mask = 0 &- hasColumn
        column = column & ~mask | UInt32(next) & mask
        position &+= Int(hasColumn)
        continue
      }
      if code == SymbolCacheFormat.RowTag.nothing {
        isKnown = false
        continue
      }
      isKnown = true
      if code == SymbolCacheFormat.RowTag.otherLine {
        line = line &+ file.foldedVarint(at: &position)
      } else {
        line = line &+ UInt32(code) &- UInt32(SymbolCacheFormat.RowTag.lineBias)
      }
      if tag & SymbolCacheFormat.RowTag.file != 0 { number = file.varint(at: &position) }
      if tag & SymbolCacheFormat.RowTag.column != 0 { column = file.varint(at: &position) }
    }
    guard isKnown else { return false }
    frame.file = fileText(number, in: sections.lineFiles, file)
    frame.line = line
    frame.column = column
    return true
  }

  // MARK: Scopes

  /// The offset of the innermost scope, or -1.
  private func findScope(_ offset: UInt32, in block: Int, _ file: CacheBytes) -> Int {
    guard block >= 0 else { return -1 }
    let start = file.number(at: sections.scopeStarts.lowerBound &+ block &* 4)
    let runs = sections.scopeRuns.lowerBound &+ block &* SymbolCacheFormat.scopeBlockSize
    guard runs &+ SymbolCacheFormat.scopeBlockSize <= sections.scopeRuns.upperBound else {
      return -1
    }
    let count = file.countUpTo(offset &- start, at: runs)
    let place = runs &+ SymbolCacheFormat.blockStarts &+ (count &- 1) &* 4
    return count == 0 ? -1 : Int(file.number(at: place)) &- 1
  }

  private func addScopes(
    _ innermost: Int, _ place: CacheFrame, _ file: CacheBytes, _ frames: inout Table<CacheFrame>
  ) {
    var scope = innermost
    var frame = place
    for _ in 0..<Self.depthLimit {
      guard scope < sections.scopes.count else { return }
      var position = sections.scopes.lowerBound &+ scope
      let function = Int(file.mixedVarint(at: &position))
      let distance = Int(file.mixedVarint(at: &position))
      if function < sections.functions.count / 16 {
        let entry = sections.functions.lowerBound &+ function &* 16
        frame.name = text(at: entry, file)
        frame.declarationFile = fileText(
          file.number(at: entry &+ 8), in: sections.files, file)
        frame.declarationLine = file.number(at: entry &+ 12)
      }
      if distance == 0 || distance > scope {
        frame.functionStart = file.number(at: position)
        frames.append(frame)
        return
      }
      frame.isInlined = true
      frames.append(frame)
      frame = CacheFrame()
      frame.file = fileText(file.mixedVarint(at: &position), in: sections.files, file)
      frame.line = file.mixedVarint(at: &position)
      frame.column = file.mixedVarint(at: &position)
      scope &-= distance
    }
  }
}
