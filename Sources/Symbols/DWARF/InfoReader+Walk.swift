internal import Bytes

extension InfoReader {
  /// The scope of functions that the linker dropped: what was inlined into them is dropped too.
  private static var dropped: UInt32 { .max - 1 }

  /// Meets every entry of a unit.
  ///
  /// One turn an entry: the depth is a counter, and only entries with code are remembered as open.
  mutating func walk(_ index: Int, _ spans: borrowing SectionSpans) {
    let unit = units[index]
    guard let table = unit.abbreviations else { return }
    let entriesArray = table.entries
    let skipsArray = table.skips
    let plansArray = table.plans
    let entries = entriesArray.span
    let skips = skipsArray.span
    let plans = plansArray.span
    let encoding = unit.header.encoding
    let isC = unit.isC
    let isDense = table.isDense
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: unit.header.entries, to: unit.header.end)
    var depth = 0
    var scope = CodeTables.none
    var scopeDepth = -1
    scopeStack.removeAll()

    while cursor.offset < cursor.end {
      let offset = cursor.offset
      let code = cursor.uleb()
      if code == 0 {
        if depth == scopeDepth {
          let outer = scopeStack.removeLast()
          scope = outer.scope
          scopeDepth = outer.depth
        }
        depth &-= 1
        if depth <= 0 { break }
        continue
      }
      var entryIndex = Int(truncatingIfNeeded: code &- 1)
      if !isDense { entryIndex = table.index(of: code) }
      guard UInt(bitPattern: entryIndex) < UInt(bitPattern: entries.count) else {
        note("entry has no abbreviation", at: offset)
        return
      }
      let entry = entries[entryIndex]
      switch entry.kind {
      case .plain, .declaration, .unit: break
      case .leafTreeInC:
        if !isC { break }
        fallthrough
      case .leafTree:
        // Trusted no further than that it leads onward inside the unit.
        var sibling = Cursor(
          spans.info, isBigEndian: spans.isBigEndian,
          from: cursor.offset &+ Int(entry.siblingOffset), to: cursor.end)
        let target = unit.header.offset &+ Int(sibling.u32())
        if !sibling.failed, target > cursor.offset, target <= cursor.end {
          cursor.seek(to: target)
          continue
        }
      case .function, .inlined:
        let isInlined = entry.kind == .inlined
        var attributes = Entry()
        cursor.read(
          &attributes, plan: plans, from: Int(entry.planStart), count: Int(entry.planCount),
          encoding: encoding)
        if cursor.failed { break }
        let opened = open(
          attributes, at: offset, isInlined: isInlined, hasChildren: entry.hasChildren,
          within: scope, unit: index, spans)
        if entry.hasChildren {
          depth &+= 1
          scopeStack.append(OpenScope(scope: scope, depth: scopeDepth))
          scope = opened
          scopeDepth = depth
          if scopeStack.count > limits.inlineDepth {
            note("limit of \(limits.inlineDepth) open functions reached", at: offset)
            return
          }
        }
        continue
      case .unreadable:
        note("entry with an unknown form", at: offset)
        return
      }
      var step = Int(entry.skipStart)
      let end = step &+ Int(entry.skipCount)
      while step < end {
        let skip = skips[step]
        step &+= 1
        cursor.skip(skip.before)
        switch skip.kind {
        case SkipStep.Kind.leb: cursor.skipLEB()
        case SkipStep.Kind.string: cursor.skipString()
        case SkipStep.Kind.block1: cursor.skip(UInt64(cursor.byte()))
        case SkipStep.Kind.block: cursor.skip(cursor.uleb())
        case SkipStep.Kind.block2: cursor.skip(UInt64(cursor.u16()))
        case SkipStep.Kind.block4: cursor.skip(UInt64(cursor.u32()))
        default:
          var form = Form.indirect
          _ = cursor.value(of: &form, constant: 0, encoding: encoding)
        }
      }
      cursor.skip(Int(entry.tail))
      if entry.hasChildren {
        depth &+= 1
      } else if depth == 0 {
        break  // a root without children
      }
    }
    if cursor.failed { note("entries are cut off", at: unit.header.offset) }
  }

  /// Records a function or an inlined call; returns what its children are inside of.
  private mutating func open(
    _ entry: borrowing Entry, at offset: Int, isInlined: Bool, hasChildren: Bool,
    within parent: UInt32, unit: Int, _ spans: borrowing SectionSpans
  ) -> UInt32 {
    if isInlined, parent == Self.dropped { return parent }
    guard output.scopes.count < limits.scopes, output.codeRanges.count < limits.codeRanges else {
      note("limit on functions and calls is reached", at: offset)
      return Self.dropped
    }
    let scope = UInt32(truncatingIfNeeded: output.scopes.count)
    let firstCodeRange = output.codeRanges.count
    addCodeRanges(of: entry, scope: scope, isInlined: isInlined, unit: unit, spans)
    let hasCodeRanges = output.codeRanges.count > firstCodeRange
    if !hasCodeRanges, !isInlined || !hasChildren { return Self.dropped }
    if !isInlined {
      let first = output.codeRanges[firstCodeRange]
      guard rangeOwners.assign(start: first.start, end: first.end, for: owner) else {
        output.codeRanges.truncate(to: firstCodeRange)
        return Self.dropped
      }
      if slices != nil {
        ownedRanges.append(
          CodePart.OwnedRange(start: first.start, end: first.end, unit: owner, scope: scope))
      }
    }
    let function = function(of: entry, at: offset, unit: unit, spans)
    var record = ScopeRecord(
      function: function, parent: CodeTables.none, callFileOrEntry: 0, callLine: 0, callColumn: 0)
    if isInlined, parent != CodeTables.none {
      record.parent = parent
      record.callFileOrEntry = lines.file(entry.callFile, spans, limits: limits, into: &output)
      record.callLine = UInt32(clamping: entry.callLine)
      record.callColumn = UInt32(truncatingIfNeeded: entry.callColumn & 0xffff)
    } else {
      record.callFileOrEntry = hasCodeRanges ? output.codeRanges[firstCodeRange].start : .max
    }
    output.scopes.append(record)
    return scope
  }

  /// Adds the code of an entry: `DW_AT_ranges`, else from `DW_AT_low_pc` to `DW_AT_high_pc`, which
  /// is an end when it is an address and a length when it is a number (DWARF 5, section 2.17.2).
  mutating func addCodeRanges(
    of entry: borrowing Entry, scope: UInt32, isInlined: Bool, unit index: Int,
    _ spans: borrowing SectionSpans
  ) {
    if entry.lowPC.isPresent, entry.highPC.isPresent {
      guard let low = address(entry.lowPC, units[index], spans) else { return }
      let high: UInt64
      switch entry.highPC.form {
      case Form.address, Form.addrx, Form.addrx1, Form.addrx2, Form.addrx3, Form.addrx4,
        Form.gnuAddressIndex:
        guard let end = address(entry.highPC, units[index], spans) else { return }
        high = end
      default:
        let (end, overflow) = low.addingReportingOverflow(entry.highPC.number)
        if overflow { return }
        high = end
      }
      addCodeRange(
        from: low, to: high, scope: scope, isInlined: isInlined,
        addressSize: units[index].header.encoding.addressSize)
    } else if entry.ranges.isPresent {
      addCodeRanges(list: entry.ranges, scope: scope, isInlined: isInlined, unit: index, spans)
    }
  }

  /// Adds one range of code, unless the linker dropped it.
  @inline(__always)
  mutating func addCodeRange(
    from low: UInt64, to high: UInt64, scope: UInt32, isInlined: Bool, addressSize: Int
  ) {
    guard low < high, !Self.isTombstone(low, addressSize: addressSize),
      let start = space.offset(of: low), let end = space.offset(of: high)
    else { return }
    if !isInlined, !space.holdsCode(at: start) { return }
    guard output.codeRanges.count < limits.codeRanges else { return }
    output.codeRanges.append(CodeRange(start: start, end: end, scope: scope))
  }
}
