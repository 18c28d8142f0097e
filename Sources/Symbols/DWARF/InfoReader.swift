internal import Bytes

/// Reads `.debug_info` once, in the order of the section, and collects everything that has code.
///
/// Entries other than functions are not stored: an abbreviation is compiled into a program that
/// finds the next entry. Names stay offsets; each origin is resolved once per unit.
struct InfoReader: ~Copyable {
  let space: CodeSpace
  let limits: DWARFLimits
  var units: [Unit] = []
  var abbreviations: AbbreviationCache
  var functions = FunctionTable()
  var memo = FunctionOriginCache()
  var scopeStack = Table<OpenScope>()
  var lines: LineReader
  var rangeBudget: Int
  /// How many more bytes of abbreviations, and of range lists, may be read to find the code of
  /// units; once used up, units are read completely.
  var rootBudget: Int
  var rootRangeBudget: Int
  /// How many more origins may be followed.
  var originBudget: Int
  /// The prefixes of functions' names, by unit, for the units that were requested.
  var nameScopes: [NameScopes.Key: NameScopes] = [:]
  /// How many more bytes of units may be read again for those.
  var scopeBudget: Int
  /// How many more bytes of names may be composed.
  var scopedNameBudget: Int
  var rangeOwners = RangeOwners()
  /// The unit that owns code: in the object, whatever file its entries are in.
  var owner: UInt32 = 0
  /// The units of the file shared by several objects, located when the first is needed.
  var alternateUnits: [Unit]?
  /// The abbreviations of each of the other files.
  var splitAbbreviations: [AbbreviationCache] = []
  /// How many more bytes of split units may be read: two skeletons may name one unit.
  var splitBudget = 0
  var output = CodeTables()
  /// The results of each share of the units, where several readers divide them; then the owned
  /// ranges are kept, as they may lose to those of another reader.
  var slices: [CodePart.ShareSlice]?
  var ownedRanges = Table<CodePart.OwnedRange>()

  /// A scope whose entry is still open.
  struct OpenScope: BitwiseCopyable {
    var scope: UInt32
    /// How many entries were open when its children began.
    var depth: Int
  }

  init(_ sections: borrowing DWARFSections, space: CodeSpace, limits: DWARFLimits) {
    self.space = space
    self.limits = limits
    abbreviations = AbbreviationCache(
      sectionSize: sections.abbreviations.count, limits: limits)
    lines = LineReader(
      sectionSize: sections.line.count, limits: limits, ahead: sections.linesAhead)
    for other in sections.others {
      splitAbbreviations.append(
        AbbreviationCache(sectionSize: other.abbreviations.count, limits: limits))
    }
    splitBudget = sections.splitSize * limits.expansion + limits.slack
    let size = sections.others.reduce(sections.ranges.count + sections.rangeLists.count) {
      $0 + $1.rangeLists.count
    }
    rangeBudget = size * limits.expansion + limits.slack
    rootBudget = sections.abbreviations.count * limits.rereading + limits.slack
    rootRangeBudget = rangeBudget
    let infoSize = sections.others.reduce(sections.info.count) { $0 + $1.info.count }
    originBudget = infoSize * limits.originsPerByte + limits.slack
    scopeBudget = infoSize
    scopedNameBudget = infoSize * limits.expansion + limits.slack
    output.files.budget = sections.line.count * limits.pathExpansion + limits.pathSlack
    let texts = infoSize + sections.line.count + sections.lineStrings.count + sections.strings.count
    output.files.room = texts * limits.expansion + limits.pathRoom
  }

  /// Reads everything, once the units are found; or only the units that describe one of `offsets`.
  consuming func run(
    _ spans: borrowing SectionSpans, of sections: borrowing DWARFSections,
    near offsets: [UInt32]? = nil
  ) -> CodeTables {
    output.unitCount = units.count
    if let offsets {
      read(near: offsets, spans, of: sections)
    } else {
      read(units.indices, spans, of: sections)
    }
    return finish()
  }

  private consuming func finish() -> CodeTables { output }

  /// Reads the units with the numbers `indices`.
  mutating func read(
    _ indices: Range<Int>, _ spans: borrowing SectionSpans, of sections: borrowing DWARFSections
  ) {
    guard let first = indices.first, let last = indices.last else { return }
    var pages = ReadPages(from: units[first].header.offset)
    for index in indices where !units[index].header.isTypeUnit {
      readUnit(index, spans, of: sections)
      pages.advance(to: units[index].header.end, lineTable: lines.range, of: sections)
    }
    pages.finish(at: units[last].header.end, of: sections)
  }

  /// In bytes; most units of most files are larger.
  private static var smallUnit: Int { 1 << 12 }

  /// Finds the offsets of the units.
  ///
  /// - Parameter pages: Releases the pages with their headers, which lie all over the section.
  mutating func findUnits(
    _ spans: borrowing SectionSpans, releasing pages: HeaderPages = HeaderPages(.empty)
  ) {
    var pages = pages
    // Reserved memory that is not used costs nothing; repeated growth does.
    units.reserveCapacity(min(spans.info.byteCount / Self.smallUnit, limits.units))
    var offset = 0
    while offset < spans.info.byteCount {
      switch UnitHeader.read(spans.info, at: offset, isBigEndian: spans.isBigEndian) {
      case .unit(let header):
        guard units.count < limits.units else {
          note("limit of \(limits.units) units reached", at: offset)
          return
        }
        units.append(Unit(header))
        offset = header.end
        pages.advance(to: offset)
      case .skip(let next, let reason):
        note(reason, at: offset)
        offset = next
      case .stop(let reason):
        note(reason, at: offset)
        return
      }
    }
  }

  mutating func note(_ text: String, at offset: Int) {
    output.notes.add(
      "debug info: \(text) at \(offset.hexadecimal)", limit: limits.notes)
  }

  mutating func readUnit(
    _ index: Int, _ spans: borrowing SectionSpans, of sections: borrowing DWARFSections
  ) {
    owner = UInt32(truncatingIfNeeded: index)
    guard prepare(index, spans) else { return }
    if let list = units[index].statementList {
      lines.read(
        at: list, unit: units[index], spans, space: space, limits: limits, into: &output)
    } else {
      lines.forget()
    }
    let firstScope = UInt32(truncatingIfNeeded: output.scopes.count)
    if units[index].splitID == nil || !readSplitUnit(of: index, sections) {
      memo.begin(unitSize: units[index].header.end - units[index].header.offset)
      walk(index, spans)
    }
    if output.scopes.count > Int(firstScope) { output.unitScopes.append(firstScope) }
    // The table may be needed again for an origin in this unit; it stays in the cache.
    units[index].abbreviations = nil
    units[index].isPrepared = false
  }

  /// Reads the root entry of a unit, unless that was done before; false when there is none.
  mutating func prepare(_ index: Int, _ spans: borrowing SectionSpans) -> Bool {
    if units[index].isPrepared { return units[index].abbreviations != nil }
    units[index].isPrepared = true
    let header = units[index].header
    guard
      let table = abbreviations.table(
        in: spans.abbreviations, at: header.abbreviations, encoding: header.encoding,
        isBigEndian: spans.isBigEndian)
    else {
      note("limit on reading abbreviations again is reached", at: header.offset)
      return false
    }
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: header.entries, to: header.end)
    let entryIndex = table.index(of: cursor.uleb())
    guard entryIndex >= 0 else {
      note("root entry has no abbreviation", at: header.entries)
      return false
    }
    let abbreviation = table.entries[entryIndex]
    guard abbreviation.kind == .unit else {
      note("root entry is not a unit", at: header.entries)
      return false
    }
    let plans = table.plans
    var root = RootEntry()
    cursor.read(
      &root, plan: plans.span, from: Int(abbreviation.planStart),
      count: Int(abbreviation.planCount), encoding: header.encoding)
    guard !cursor.failed else {
      note("root entry is cut off", at: header.entries)
      return false
    }
    units[index] = unit(header, root, spans)
    units[index].isPrepared = true
    units[index].abbreviations = table
    return true
  }

  /// A unit with the facts of its root entry.
  func unit(
    _ header: UnitHeader, _ root: RootEntry, _ spans: borrowing SectionSpans
  ) -> Unit {
    var unit = Unit(header)
    unit.isC = Language.isC(root.language)
    unit.hasScopedNames = Language.hasScopedNames(root.language)
    if let base = root.stringOffsetsBase { unit.stringOffsetsBase = base }
    if let base = root.addressBase { unit.addressBase = base }
    if let base = root.rangeListsBase { unit.rangeListsBase = base }
    if let base = root.gnuRangesBase { unit.gnuRangesBase = base }
    if root.statementList.isPresent { unit.statementList = root.statementList.number }
    unit.compilationDirectory = text(root.compilationDirectory, unit, spans)
    unit.lowPC = address(root.lowPC, unit, spans) ?? 0
    // Without code it only names a module of the compiler.
    unit.rootSplitID = root.gnuDwoID
    if root.dwoName.isPresent, root.hasCode {
      unit.splitID = header.kind == UnitHeader.Kind.skeleton ? header.id : root.gnuDwoID
      unit.splitName = text(root.dwoName, unit, spans)
    }
    return unit
  }

  /// The unit whose entries contain `offset`.
  func unit(holding offset: Int) -> Int? {
    let low = units.lowerBound { $0.header.offset <= offset }
    guard low > 0 else { return nil }
    let header = units[low - 1].header
    return offset >= header.entries && offset < header.end ? low - 1 : nil
  }
}
