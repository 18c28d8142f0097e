internal import Bytes

extension InfoReader {
  /// Reads the units that describe `offsets`, in the order of the section.
  ///
  /// The first unit that describes some code counts: once it has a function and lines for an offset,
  /// later units that describe the same code are not read. The root entry of a unit shows whether
  /// it may have code there. For the remaining offsets, the unit whose code ends last before one is
  /// read, as lines may extend over the padding after a function; so are units that do not record
  /// their code's addresses.
  ///
  /// - Parameter offsets: Offsets from the image base, sorted.
  mutating func read(
    near offsets: [UInt32], _ spans: borrowing SectionSpans, of sections: borrowing DWARFSections
  ) {
    var open = offsets
    var rest: [Int] = []
    var done = Set<Int>()
    var before = [Neighbour?](repeating: nil, count: offsets.count)
    for index in units.indices where !units[index].header.isTypeUnit {
      if open.isEmpty { return }
      let first = output.codeRanges.count
      let listsCode = addCodeRanges(ofUnit: index, spans)
      var isHit = false
      for codeRange in first..<output.codeRanges.count {
        let (start, end) = (output.codeRanges[codeRange].start, output.codeRanges[codeRange].end)
        let next = Self.first(atOrAfter: start, in: open)
        if next < open.count, open[next] < end { isHit = true }
        let behind = Self.first(atOrAfter: end, in: offsets)
        if behind < offsets.count, before[behind].map({ $0.end < end }) ?? true {
          before[behind] = Neighbour(end: end, unit: index)
        }
      }
      output.codeRanges.truncate(to: first)
      if isHit {
        read(index, for: &open, spans, of: sections)
        done.insert(index)
      } else if !listsCode {
        rest.append(index)
      }
    }
    var last: Neighbour?
    for (offset, neighbour) in zip(offsets, before) {
      if let neighbour { last = neighbour }
      if let last, open.contains(offset), done.insert(last.unit).inserted { rest.append(last.unit) }
    }
    for index in rest.sorted() {
      if open.isEmpty { return }
      read(index, for: &open, spans, of: sections)
    }
  }

  /// A unit whose code ends before an offset.
  private struct Neighbour {
    var end: UInt32
    var unit: Int
  }

  /// Reads a unit and removes the offsets that it describes.
  private mutating func read(
    _ index: Int, for open: inout [UInt32], _ spans: borrowing SectionSpans,
    of sections: borrowing DWARFSections
  ) {
    let codeRanges = output.codeRanges.count
    let sequences = output.sequences.count
    readUnit(index, spans, of: sections)
    guard output.codeRanges.count > codeRanges, output.sequences.count > sequences else { return }
    open.removeAll { offset in
      let hasCode = (codeRanges..<output.codeRanges.count).contains {
        output.codeRanges[$0].start <= offset && offset < output.codeRanges[$0].end
      }
      return hasCode
        && (sequences..<output.sequences.count).contains {
          output.sequences[$0].start <= offset && offset < output.sequences[$0].end
        }
    }
  }

  /// Adds the code that the root entry of a unit lists, as ranges without a scope.
  ///
  /// - Returns: Whether it lists its code.
  private mutating func addCodeRanges(ofUnit index: Int, _ spans: borrowing SectionSpans) -> Bool {
    guard let root = root(of: index, spans),
      root.ranges.isPresent || root.lowPC.isPresent && root.highPC.isPresent
    else { return false }
    units[index] = unit(units[index].header, root, spans)
    var entry = Entry()
    entry.lowPC = root.lowPC
    entry.highPC = root.highPC
    entry.ranges = root.ranges
    // Bytes read here do not count towards the limits for reading all units.
    swap(&rangeBudget, &rootRangeBudget)
    addCodeRanges(of: entry, scope: CodeTables.none, isInlined: true, unit: index, spans)
    swap(&rangeBudget, &rootRangeBudget)
    return rootRangeBudget > 0
  }

  private static func first(atOrAfter start: UInt32, in offsets: [UInt32]) -> Int {
    offsets.lowerBound { $0 < start }
  }

  /// The root entry of a unit, read without the rest of its abbreviations; `nil` where it has none.
  private mutating func root(of index: Int, _ spans: borrowing SectionSpans) -> RootEntry? {
    guard rootBudget > 0 else { return nil }
    let header = units[index].header
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: header.entries, to: header.end)
    let code = cursor.uleb()
    var builder = AbbreviationBuilder()
    builder.read(
      spans.abbreviations, at: header.abbreviations, encoding: header.encoding,
      isBigEndian: spans.isBigEndian, upTo: code)
    rootBudget -= builder.byteCount
    guard let abbreviation = builder.entries.first(where: { UInt64($0.code) == code }),
      abbreviation.kind == .unit
    else { return nil }
    let plans = builder.plans
    var root = RootEntry()
    cursor.read(
      &root, plan: plans.span, from: Int(abbreviation.planStart),
      count: Int(abbreviation.planCount), encoding: header.encoding)
    return cursor.failed ? nil : root
  }
}
