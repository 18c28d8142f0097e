internal import Bytes

extension InfoReader {
  /// The function that an entry with code belongs to.
  mutating func function(
    of entry: borrowing Entry, at offset: Int, unit: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    if !entry.linkageName.isPresent, !entry.name.isPresent, entry.declarationLine == 0,
      entry.declarationFile == .max
    {
      let origin = entry.origin.isPresent ? entry.origin : entry.specification
      if let target = target(origin, units[unit]) {
        return function(at: target, from: unit, spans)
      }
    }
    return resolve(offset, from: unit, spans)
  }

  /// The function whose declaration or origin is at `offset`.
  @inline(__always)
  private mutating func function(
    at offset: Int, from unit: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    if let known = memo.function(at: offset) { return known }
    let function = resolve(offset, from: unit, spans)
    memo.remember(function, at: offset)
    return function
  }

  /// Follows origins and specifications from the entry at `start`, across units and into the file shared by
  /// several objects, for the first linkage name, or otherwise the first name, and for the first declaration.
  @inline(never)
  private mutating func resolve(
    _ start: Int, from current: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    var search = NameSearch()
    var offset: Int? = start
    if start & Self.alternateBit == 0 {
      offset = follow(start, from: current, spans, &search)
    }
    if let offset, offset & Self.alternateBit != 0 {
      followAlternate(offset & ~Self.alternateBit, spans, &search)
    }
    if search.record.name.isNone { search.record.name = search.plainName }
    return functions.index(of: search.record, in: &output.functions)
  }

  /// The known facts about a function.
  private struct NameSearch {
    var record = FunctionRecord(name: .none, file: 0, line: 0)
    var plainName = TextReference.none
    /// The entry that has the plain name, and its unit, if the scopes around it are part of the name.
    var scoped: (offset: Int, unit: Int)?
    var hops = 0
  }

  /// Follows origins, and composes the name where there is no linkage name.
  private mutating func follow(
    _ start: Int, from current: Int?, _ spans: borrowing SectionSpans, _ search: inout NameSearch
  ) -> Int? {
    let next = followOrigins(start, from: current, spans, &search)
    if let scoped = search.scoped {
      search.scoped = nil
      if search.record.name.isNone {
        search.plainName = scopedName(
          search.plainName, at: scoped.offset, unit: scoped.unit, spans)
      }
    }
    return next
  }

  /// - Parameter current: The unit whose line table numbers the files; `nil` for none.
  /// - Returns: Where to continue in the file shared by several objects.
  private mutating func followOrigins(
    _ start: Int, from current: Int?, _ spans: borrowing SectionSpans, _ search: inout NameSearch
  ) -> Int? {
    var offset = start
    var index = current ?? -1
    while search.hops < limits.originHops {
      search.hops += 1
      originBudget -= 1
      guard originBudget > 0 else {
        note("limit on following origins reached", at: offset)
        return nil
      }
      if index < 0 || offset < units[index].header.entries || offset >= units[index].header.end {
        guard let other = unit(holding: offset) else { return nil }
        index = other
      }
      guard prepare(index, spans), let table = units[index].abbreviations else { return nil }
      let unit = units[index]
      var cursor = Cursor(
        spans.info, isBigEndian: spans.isBigEndian, from: offset, to: unit.header.end)
      let entryIndex = table.index(of: cursor.uleb())
      guard entryIndex >= 0 else { return nil }
      let abbreviation = table.entries[entryIndex]
      switch abbreviation.kind {
      case .function, .declaration, .inlined: break
      default: return nil
      }
      let plans = table.plans
      var entry = Entry()
      cursor.read(
        &entry, plan: plans.span, from: Int(abbreviation.planStart),
        count: Int(abbreviation.planCount), encoding: unit.header.encoding)
      guard !cursor.failed else { return nil }
      if search.record.line == 0 { search.record.line = UInt32(clamping: entry.declarationLine) }
      if search.record.file == 0, entry.declarationFile != .max, index == current {
        search.record.file = lines.file(
          entry.declarationFile, spans, limits: limits, into: &output)
      }
      if search.record.name.isNone, entry.linkageName.isPresent {
        search.record.name = text(entry.linkageName, unit, spans)
      }
      if search.plainName.isNone, entry.name.isPresent {
        search.plainName = text(entry.name, unit, spans)
        // A function with C linkage has just its name.
        if unit.hasScopedNames, !abbreviation.traits.contains(.external) {
          search.scoped = (offset, index)
        }
      }
      if !search.record.name.isNone, search.record.line != 0, search.record.file != 0 {
        return nil
      }
      let next = entry.specification.isPresent ? entry.specification : entry.origin
      guard let target = target(next, unit) else { return nil }
      if target & Self.alternateBit != 0 { return target }
      offset = target
    }
    return nil
  }

  /// Continues in the file shared by several objects, whose references stay within it.
  private mutating func followAlternate(
    _ start: Int, _ spans: borrowing SectionSpans, _ search: inout NameSearch
  ) {
    guard spans.alternateFile > 0 else { return }
    let inner = SectionSpans(alternateOf: spans)
    // Moved out, so that the units are not copied when one of them is prepared.
    let isNew = alternateUnits == nil
    var others = alternateUnits.take() ?? []
    swap(&units, &others)
    swap(&abbreviations, &splitAbbreviations[spans.alternateFile - 1])
    if isNew { findUnits(inner) }
    _ = follow(start, from: nil, inner, &search)
    swap(&units, &others)
    swap(&abbreviations, &splitAbbreviations[spans.alternateFile - 1])
    alternateUnits = others
  }
}
