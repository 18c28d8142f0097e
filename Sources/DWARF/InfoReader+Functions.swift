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

  /// The function whose declaration or origin stands at `offset`.
  @inline(__always)
  private mutating func function(
    at offset: Int, from unit: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    if let known = memo.function(at: offset) { return known }
    let function = resolve(offset, from: unit, spans)
    memo.remember(function, at: offset)
    return function
  }

  /// Follows origins and specifications from the entry at `start`, across units too, for the first
  /// linkage name, else the first name, and the first declaration.
  @inline(never)
  private mutating func resolve(
    _ start: Int, from current: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    var record = FunctionRecord(name: .none, file: 0, line: 0)
    var plainName = TextReference.none
    var offset = start
    var index = current
    for _ in 0..<limits.originHops {
      let header = units[index].header
      if offset < header.entries || offset >= header.end {
        guard let other = unit(holding: offset) else { break }
        index = other
      }
      guard prepare(index, spans), let table = units[index].abbreviations else { break }
      let unit = units[index]
      var cursor = Cursor(
        spans.info, isBigEndian: spans.isBigEndian, from: offset, to: unit.header.end)
      let place = table.index(of: cursor.uleb())
      guard place >= 0 else { break }
      let abbreviation = table.entries[place]
      switch abbreviation.kind {
      case .function, .declaration, .inlined: break
      default: return intern(&record, plainName)
      }
      let plans = table.plans
      var entry = Entry()
      cursor.read(
        &entry, plan: plans.span, from: Int(abbreviation.planStart),
        count: Int(abbreviation.planCount), encoding: unit.header.encoding)
      guard !cursor.failed else { break }
      if record.line == 0 { record.line = UInt32(clamping: entry.declarationLine) }
      if record.file == 0, entry.declarationFile != .max, index == current {
        record.file = lines.file(
          entry.declarationFile, spans, limits: limits, into: &output)
      }
      if record.name.isNone, entry.linkageName.isPresent {
        record.name = text(entry.linkageName, unit, spans)
      }
      if plainName.isNone, entry.name.isPresent { plainName = text(entry.name, unit, spans) }
      if !record.name.isNone, record.line != 0, record.file != 0 { break }
      let next = entry.specification.isPresent ? entry.specification : entry.origin
      guard let target = target(next, unit) else { break }
      offset = target
    }
    return intern(&record, plainName)
  }

  private mutating func intern(
    _ record: inout FunctionRecord, _ plainName: TextReference
  ) -> UInt32 {
    if record.name.isNone { record.name = plainName }
    return functions.index(of: record, in: &output.functions)
  }
}
