internal import Bytes

extension InfoReader {
  /// The units that may have code at one of `places`, in the order of the section.
  ///
  /// Those whose root entry says that they hold one; and those that do not say where their code is,
  /// if there is a place that none of the others claims.
  ///
  /// - Parameter places: Offsets from the image base, sorted.
  mutating func units(near places: [UInt32], _ spans: borrowing SectionSpans) -> [Int] {
    var claimed = Set<UInt32>()
    var found: [Int] = []
    var silent: [Int] = []
    for index in units.indices where !units[index].header.isTypeUnit {
      guard let root = root(of: index, spans) else {
        silent.append(index)
        continue
      }
      let unit = unit(units[index].header, root, spans)
      guard root.ranges.isPresent || root.lowPC.isPresent && root.highPC.isPresent else {
        silent.append(index)
        continue
      }
      units[index] = unit
      var entry = Entry()
      entry.lowPC = root.lowPC
      entry.highPC = root.highPC
      entry.ranges = root.ranges
      // What is looked at here is not what the limits count.
      let budget = rangeBudget
      addPieces(of: entry, scope: 0, isInlined: true, unit: index, spans)
      rangeBudget = budget
      var isHit = false
      for piece in 0..<output.pieces.count {
        let (start, end) = (output.pieces[piece].start, output.pieces[piece].end)
        for place in places[Self.first(atOrAfter: start, in: places)...] {
          if place >= end { break }
          isHit = true
          claimed.insert(place)
        }
      }
      output.pieces.removeAll()
      if isHit { found.append(index) }
    }
    if places.contains(where: { !claimed.contains($0) }) { found = (found + silent).sorted() }
    return found
  }

  private static func first(atOrAfter start: UInt32, in places: [UInt32]) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The root entry of a unit, read without the rest of its abbreviations; `nil` where it has none.
  private func root(of index: Int, _ spans: borrowing SectionSpans) -> RootEntry? {
    let header = units[index].header
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: header.entries, to: header.end)
    let code = cursor.uleb()
    let builder = AbbreviationBuilder(
      reading: spans.abbreviations, at: header.abbreviations, encoding: header.encoding,
      isBigEndian: spans.isBigEndian, upTo: code)
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
