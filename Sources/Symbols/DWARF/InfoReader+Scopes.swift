internal import Bytes

extension InfoReader {
  /// The name of a function with the namespaces and types around the entry that has it.
  ///
  /// Source: DWARF 5, sections 3.2.2 and 5.7; the names in the form of gdb and the demanglers of linkage
  /// names.
  mutating func scopedName(
    _ name: TextReference, at offset: Int, unit index: Int, _ spans: borrowing SectionSpans
  ) -> TextReference {
    let key = NameScopes.Key(file: spans.file, unit: units[index].header.offset)
    if nameScopes[key] == nil { nameScopes[key] = readScopes(of: index, spans) }
    guard let prefix = nameScopes[key]?.prefix(at: offset) else { return name }
    let span = spans.span(of: name)
    let count = span.textLength(from: name.offset, limit: limits.nameLength)
    guard count > 0 else { return name }
    guard spendOnNames(prefix.count + count, at: offset) else { return name }
    return output.scopedNames.reference(
      to: prefix + ByteView(copying: span.extracting(name.offset..<(name.offset + count))).array)
  }

  /// Charges bytes to the budget for composed names; false once that is used up.
  private mutating func spendOnNames(_ count: Int, at offset: Int) -> Bool {
    guard scopedNameBudget > 0 else { return false }
    scopedNameBudget -= count
    if scopedNameBudget <= 0 { note("limit on names with their namespaces is reached", at: offset) }
    return scopedNameBudget > 0
  }

  /// A namespace or type of the unit that is read.
  private struct Scope {
    var offset: Int
    /// The index of the enclosing one, ``none``, or ``local`` in a function.
    var parent: Int
    /// The index of the prefix of its functions' names, once known.
    var prefix: Int?

    static let none = -1
    static let local = -2
  }

  /// Collects the namespaces and types of a unit, and the functions in them that have no linkage name.
  ///
  /// Where entries give their siblings, the contents of functions are skipped.
  ///
  /// - Complexity: O(n) in the number of entries outside functions.
  private mutating func readScopes(of index: Int, _ spans: borrowing SectionSpans) -> NameScopes {
    var found = NameScopes()
    let unit = units[index]
    guard let table = unit.abbreviations else { return found }
    let entries = table.entries
    let skips = table.skips
    var scopes: [Scope] = []
    var open: [Int] = []
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: unit.header.entries, to: unit.header.end)
    while !cursor.isAtEnd {
      let offset = cursor.offset
      let code = cursor.uleb()
      if code == 0 {
        _ = open.popLast()
        if open.isEmpty { break }
        continue
      }
      let entryIndex = table.index(of: code)
      guard entryIndex >= 0, entries[entryIndex].kind != .unreadable else { break }
      let entry = entries[entryIndex]
      let around = open.last ?? Scope.none
      var inner = around
      var canJump = false
      switch entry.kind {
      case .function, .declaration, .inlined:
        if around >= 0, entry.kind != .inlined, !entry.traits.contains(.linkageName),
          let prefix = prefix(of: around, in: &scopes, &found, unit, spans)
        {
          found.members.append(NameScopes.Member(offset: offset, prefix: prefix))
        }
        inner = Scope.local
        canJump = true
      case .leafTree: canJump = true
      default:
        if !entry.traits.isDisjoint(with: [.namespace, .type]), around != Scope.local {
          scopes.append(Scope(offset: offset, parent: around))
          inner = scopes.count - 1
        }
      }
      if canJump, entry.hasChildren, entry.siblingOffset > 0 {
        var sibling = Cursor(
          spans.info, isBigEndian: spans.isBigEndian,
          from: cursor.offset &+ Int(entry.siblingOffset), to: cursor.end)
        let target = unit.header.offset &+ Int(sibling.u32())
        if !sibling.failed, target > cursor.offset, target <= cursor.end {
          cursor.seek(to: target)
          continue
        }
      }
      cursor.skip(entry, skips: skips.span, encoding: unit.header.encoding)
      if entry.hasChildren {
        open.append(inner)
      } else if open.isEmpty {
        break
      }
    }
    return found
  }

  /// The index of the prefix of a scope's functions; `nil` for none.
  private mutating func prefix(
    of index: Int, in scopes: inout [Scope], _ found: inout NameScopes, _ unit: Unit,
    _ spans: borrowing SectionSpans
  ) -> Int? {
    if let known = scopes[index].prefix { return known >= 0 ? known : nil }
    var parts: [[UInt8]] = []
    var next = index
    var depth = 0
    var size = 0
    while next >= 0, depth < limits.scopeDepth, size < limits.nameLength {
      depth += 1
      guard spendOnNames(1, at: scopes[next].offset) else { break }
      let (name, declaration) = self.name(ofScopeAt: scopes[next].offset, unit, spans)
      if let name {
        parts.append(name)
        size += name.count
      } else if let declaration {
        // A type that is defined outside the scope of its declaration has its name there.
        let low = scopes.lowerBound { $0.offset < declaration }
        guard low < scopes.count, scopes[low].offset == declaration else { break }
        next = low
        continue
      }
      next = scopes[next].parent
    }
    let separator = Array("::".utf8)
    let text = parts.reversed().reduce(into: [UInt8]()) { $0 += $1 + separator }
    guard !text.isEmpty, spendOnNames(text.count, at: scopes[index].offset) else {
      scopes[index].prefix = -1
      return nil
    }
    found.prefixes.append(text)
    scopes[index].prefix = found.prefixes.count - 1
    return found.prefixes.count - 1
  }

  /// The name of a namespace or type, or otherwise the entry in the unit that declares it.
  private func name(
    ofScopeAt offset: Int, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> (name: [UInt8]?, declaration: Int?) {
    guard let table = unit.abbreviations else { return (nil, nil) }
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: offset, to: unit.header.end)
    let entryIndex = table.index(of: cursor.uleb())
    guard entryIndex >= 0 else { return (nil, nil) }
    let abbreviation = table.entries[entryIndex]
    let plans = table.plans
    var entry = Entry()
    cursor.read(
      &entry, plan: plans.span, from: Int(abbreviation.planStart),
      count: Int(abbreviation.planCount), encoding: unit.header.encoding)
    guard !cursor.failed else { return (nil, nil) }
    if entry.name.isPresent {
      let name = text(entry.name, unit, spans)
      let span = spans.span(of: name)
      let count = span.textLength(from: name.offset, limit: limits.nameLength)
      guard !name.isNone, count > 0 else { return (nil, nil) }
      return (ByteView(copying: span.extracting(name.offset..<(name.offset + count))).array, nil)
    }
    if abbreviation.traits.contains(.namespace) {
      return (Array("(anonymous namespace)".utf8), nil)
    }
    return (nil, entry.specification.isPresent ? target(entry.specification, unit) : nil)
  }
}

extension Cursor {
  /// Skips the attributes of an entry.
  @_lifetime(self: copy self)
  fileprivate mutating func skip(
    _ entry: Abbreviation, skips: Span<SkipStep>, encoding: UnitEncoding
  ) {
    let start = Int(entry.skipStart)
    for step in start..<(start + Int(entry.skipCount)) {
      let skip = skips[step]
      self.skip(skip.before)
      switch skip.kind {
      case SkipStep.Kind.leb: skipLEB()
      case SkipStep.Kind.string: skipString()
      case SkipStep.Kind.block1: self.skip(UInt64(byte()))
      case SkipStep.Kind.block: self.skip(uleb())
      case SkipStep.Kind.block2: self.skip(UInt64(u16()))
      case SkipStep.Kind.block4: self.skip(UInt64(u32()))
      default:
        var form = Form.indirect
        _ = value(of: &form, constant: 0, encoding: encoding)
      }
    }
    self.skip(Int(entry.tail))
  }
}
