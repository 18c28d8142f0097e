internal import Bytes

extension InfoReader {
  /// The name of a function with the namespaces and types around the entry that has it.
  ///
  /// Source: DWARF 5, sections 3.2.2 and 5.7; the names in the form of gdb and the demanglers of linkage
  /// names.
  mutating func scopedName(
    _ name: TextReference, at offset: Int, unit index: Int, _ spans: borrowing SectionSpans
  ) -> TextReference {
    guard let prefix = namePrefix(at: offset, unit: index, spans) else { return name }
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

  /// More units than that are rarely referred to in turn.
  private static var openUnits: Int { 8 }

  /// The prefix of the name of the function whose entry is at `offset`: `audio::` for `init`; `nil` for none.
  ///
  /// - Complexity: O(n) in the number of entries that are passed, each once for all functions of a unit.
  private mutating func namePrefix(
    at offset: Int, unit index: Int, _ spans: borrowing SectionSpans
  ) -> [UInt8]? {
    let unit = units[index]
    guard let entry = abbreviation(at: offset, of: unit, spans),
      entry.kind == .function || entry.kind == .declaration,
      !entry.traits.contains(.linkageName)
    else { return nil }
    let key = NameScopes.Key(file: spans.file, unit: unit.header.offset)
    var found: NameScopes
    if let known = nameScopes.removeValue(forKey: key) {
      found = known
    } else {
      found = NameScopes(unit.header)
      if nameScopes.count >= Self.openUnits, scopeBudget > 0 {
        // Those that are needed again are read again, as long as that takes no more time than reading all.
        scopeBudget -= unit.header.end - unit.header.offset
        nameScopes.removeAll(keepingCapacity: true)
      }
    }
    defer { nameScopes[key] = found }
    guard let scope = scope(around: offset, in: &found, unit, spans), scope >= 0,
      let prefix = prefix(of: scope, in: &found, unit, spans)
    else { return nil }
    return found.prefixes[prefix]
  }

  /// The index of the innermost namespace or type around an entry; `nil` in a function.
  private func scope(
    around offset: Int, in found: inout NameScopes, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> Int? {
    var node = 0
    for _ in 0..<limits.scopeDepth {
      if !found.nodes[node].isExpanded { expand(node, of: &found, unit, spans) }
      guard let child = found.child(of: node, around: offset) else {
        return found.nodes[node].scope
      }
      node = child
      if found.nodes[node].scope == NameScopes.local { return nil }
    }
    return nil
  }

  private func abbreviation(
    at offset: Int, of unit: Unit, _ spans: borrowing SectionSpans
  ) -> Abbreviation? {
    guard let table = unit.abbreviations else { return nil }
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: offset, to: unit.header.end)
    let entryIndex = table.index(of: cursor.uleb())
    return entryIndex >= 0 ? table.entries[entryIndex] : nil
  }

  /// Finds the children of a node. Those that do not give their siblings are expanded too.
  private func expand(
    _ node: Int, of found: inout NameScopes, _ unit: Unit, _ spans: borrowing SectionSpans
  ) {
    found.nodes[node].isExpanded = true
    guard let table = unit.abbreviations else { return }
    let entries = table.entries
    let skips = table.skips
    let encoding = unit.header.encoding
    var cursor = Cursor(
      spans.info, isBigEndian: spans.isBigEndian, from: found.nodes[node].offset,
      to: found.nodes[node].end)
    var open: [Int] = []
    while !cursor.isAtEnd {
      let offset = cursor.offset
      let code = cursor.uleb()
      if code == 0 {
        guard let closed = open.popLast(), !open.isEmpty else { break }
        found.nodes[closed].end = cursor.offset
        continue
      }
      let entryIndex = table.index(of: code)
      guard entryIndex >= 0, entries[entryIndex].kind != .unreadable else { break }
      let entry = entries[entryIndex]
      guard let parent = open.last else {
        // The node itself.
        cursor.skip(entry, skips: skips.span, encoding: encoding)
        guard entry.hasChildren else { break }
        open.append(node)
        continue
      }
      guard entry.hasChildren else {
        cursor.skip(entry, skips: skips.span, encoding: encoding)
        continue
      }
      let index = found.nodes.count
      var child = NameScopes.Node(offset: offset, end: cursor.end, scope: found.nodes[parent].scope)
      switch entry.kind {
      case .function, .declaration, .inlined: child.scope = NameScopes.local
      default:
        if !entry.traits.isDisjoint(with: [.namespace, .type]), child.scope != NameScopes.local {
          found.scopes.append(NameScopes.Scope(offset: offset, parent: child.scope))
          child.scope = found.scopes.count - 1
        }
      }
      found.nodes[parent].children.append(index)
      if let sibling = sibling(of: entry, cursor, unit) {
        child.end = sibling
        cursor.seek(to: sibling)
      } else {
        child.isExpanded = true
        cursor.skip(entry, skips: skips.span, encoding: encoding)
        open.append(index)
      }
      found.nodes.append(child)
    }
    // Damage ends all that are open.
    for index in open.dropFirst() { found.nodes[index].end = cursor.offset }
  }

  /// Where the sibling of an entry begins, if it gives it and that leads onward.
  private func sibling(
    of entry: Abbreviation, _ cursor: borrowing Cursor, _ unit: Unit
  ) -> Int? {
    guard entry.siblingOffset > 0 else { return nil }
    var reader = Cursor(
      cursor.span, isBigEndian: cursor.isBigEndian,
      from: cursor.offset &+ Int(entry.siblingOffset), to: cursor.end)
    let target = unit.header.offset &+ Int(reader.u32())
    return !reader.failed && target > cursor.offset && target <= cursor.end ? target : nil
  }

  /// The index of the prefix of a scope's functions; `nil` for none.
  private mutating func prefix(
    of index: Int, in found: inout NameScopes, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> Int? {
    if let known = found.scopes[index].prefix { return known >= 0 ? known : nil }
    var parts: [[UInt8]] = []
    var offset = found.scopes[index].offset
    var parent = found.scopes[index].parent
    var depth = 0
    var size = 0
    while depth < limits.scopeDepth, size < limits.nameLength {
      depth += 1
      guard spendOnNames(1, at: offset) else { break }
      let (name, declaration) = self.name(ofScopeAt: offset, unit, spans)
      if let name {
        parts.append(name)
        size += name.count
      } else if let declaration {
        // A type that is defined outside the scope of its declaration has its name there.
        guard declaration < offset,
          let entry = abbreviation(at: declaration, of: unit, spans),
          !entry.traits.isDisjoint(with: [.namespace, .type]),
          let around = scope(around: declaration, in: &found, unit, spans)
        else { break }
        offset = declaration
        parent = around
        continue
      }
      guard parent >= 0 else { break }
      offset = found.scopes[parent].offset
      parent = found.scopes[parent].parent
    }
    let separator = Array("::".utf8)
    let text = parts.reversed().reduce(into: [UInt8]()) { $0 += $1 + separator }
    guard !text.isEmpty, spendOnNames(text.count, at: found.scopes[index].offset) else {
      found.scopes[index].prefix = NameScopes.none
      return nil
    }
    found.prefixes.append(text)
    found.scopes[index].prefix = found.prefixes.count - 1
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
