internal import Bytes
internal import DWARF
internal import DebugInfo
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache

/// Compares the facts of two readers about a file.
struct ReferenceComparison: ~Copyable {
  var report = CrossCheckReport()
  private let object: ObjectFile
  private let limits: ReferenceLimits

  init(_ object: ObjectFile, limits: ReferenceLimits) {
    self.object = object
    self.limits = limits
  }

  private mutating func add(
    _ kind: ReferenceDifference.Kind, _ verdict: ReferenceDifference.Verdict,
    _ addresses: Range<UInt64>, _ mayday: String, _ second: String
  ) {
    // The same difference continues.
    if let last = report.differences.last, last.kind == kind, last.verdict == verdict,
      last.addresses.upperBound == addresses.lowerBound, !addresses.isEmpty,
      last.mayday == mayday, last.second == second
    {
      report.differences[report.differences.count - 1].addresses =
        last.addresses.lowerBound..<addresses.upperBound
      return
    }
    report.differenceCount += 1
    if verdict != .unread { report.unexplained += 1 }
    guard report.differences.count < limits.differences else { return }
    report.differences.append(
      ReferenceDifference(
        kind: kind, verdict: verdict, addresses: addresses, mayday: mayday, second: second))
  }

  // MARK: The container

  mutating func compareContainer(_ facts: borrowing ReferenceFacts, _ code: borrowing ObjectCode) {
    report.problems = facts.problems
    report.problemCount = facts.problemCount
    compareSections(facts)
    compareSymbols(facts, code.symbols)
    let ours = object.codeID.map { $0.description } ?? ""
    let second = facts.buildID.hexadecimalDigits
    if ours != second {
      add(.container, .different, 0..<0, "build id \(ours)", "build id \(second)")
    }
  }

  private mutating func compareSections(_ facts: borrowing ReferenceFacts) {
    // Mayday's list leaves out the null section.
    let ours = object.sections.filter { !$0.name.isEmpty }
    var theirs: [(name: String, address: UInt64)] = []
    for index in 0..<facts.sections.count {
      let section = facts.sections[index]
      let name = facts.sectionNames.text(section.name)
      if !name.isEmpty { theirs.append((name, section.address)) }
    }
    for section in ours
    where !theirs.contains(where: { $0.name == section.name && $0.address == section.address }) {
      add(.container, .onlyMayday, 0..<0, "section \(section.name)", "")
    }
    for section in theirs
    where !ours.contains(where: { $0.name == section.name && $0.address == section.address }) {
      add(.container, .onlySecond, 0..<0, "", "section \(section.name)")
    }
  }

  private mutating func compareSymbols(_ facts: borrowing ReferenceFacts, _ table: SymbolTable) {
    let names = table.names.bytes
    var ours: Set<UInt64> = []
    for symbol in table.symbols where symbol.nameCount > 0 {
      let hash = names.contentHash(from: symbol.nameOffset, count: symbol.nameCount)
      let key = SymbolKey.key(symbol.address, hash)
      ours.insert(key)
      // In .symtab the name is followed by the symbol's version, in .dynsym that is stored
      // separately. Source: GNU ld 2.35's NEWS.
      let name = table.name(of: symbol).utf8
      if let version = name.firstIndex(of: UInt8(ascii: "@")), version > name.startIndex {
        let count = name.distance(from: name.startIndex, to: version)
        let plain = names.contentHash(from: symbol.nameOffset, count: count)
        ours.insert(SymbolKey.key(symbol.address, plain))
      }
      if !facts.symbols.contains(key) {
        // Small ones of .gnu_debugdata are where libelf does not look.
        let hasOthers = object.section(named: "gnu_debugdata") != nil
        add(
          .container, hasOthers ? .unread : .onlyMayday, symbol.address..<symbol.address,
          "symbol \(table.name(of: symbol))", "")
      }
    }
    for index in 0..<facts.functionSymbols.count {
      let symbol = facts.functionSymbols[index]
      guard object.executableRanges.contains(where: { $0.contains(symbol.address) }) else {
        continue
      }
      let hash = facts.symbolNames.hash(symbol.name)
      if !ours.contains(SymbolKey.key(symbol.address, hash)),
        !ours.contains(SymbolKey.key(symbol.address & ~1, hash))
      {
        add(
          .container, .onlySecond, symbol.address..<symbol.address, "",
          "symbol \(facts.symbolNames.text(symbol.name))")
      }
    }
  }

  // MARK: Code

  mutating func compareCode(
    _ facts: borrowing ReferenceFacts, _ code: borrowing ObjectCode, _ cache: borrowing SymbolCache
  ) throws(ReferenceReaderError) {
    let runs = try ReferenceRanges(facts, limits: limits)
    let edges = Self.edges(code, runs)
    var starts = Self.functionStarts(code)[...]
    var frames = Table<CacheFrame>()
    var chain = Table<UInt32>()
    var scopeRun = -1
    var rowRun = -1
    for index in edges.indices {
      let edge = edges[index]
      let end = index + 1 < edges.count ? edges[index + 1] : edge
      while scopeRun + 1 < runs.scopes.count, runs.scopes[scopeRun + 1].start <= edge {
        scopeRun += 1
      }
      while rowRun + 1 < runs.rows.count, runs.rows[rowRun + 1].start <= edge { rowRun += 1 }
      while let start = starts.first, start < edge { starts.removeFirst() }
      let address = cache.imageBase &+ UInt64(edge)
      guard holdsCode(address) else { continue }
      let scope = scopeRun >= 0 ? runs.scopes[scopeRun].index : ReferenceFacts.none
      let row = rowRun >= 0 ? runs.rows[rowRun].index : ReferenceFacts.none
      chain.removeAll()
      var next = scope
      while next != ReferenceFacts.none, chain.count < limits.depth {
        chain.append(next)
        next = facts.scopes[Int(next)].parent
      }
      cache.lookUp(edge, into: &frames)
      report.compared += 1
      let range = address..<(cache.imageBase &+ UInt64(max(end, edge)))
      compare(
        frames, chain, row, isFunctionStart: starts.first == edge, at: range, facts, cache)
    }
  }

  private func holdsCode(_ address: UInt64) -> Bool {
    object.executableRanges.isEmpty
      || object.executableRanges.contains { $0.contains(address) }
  }

  /// Every address at which the result of one of the two may change; ascending, each once.
  private static func edges(_ code: borrowing ObjectCode, _ runs: borrowing ReferenceRanges)
    -> [UInt32]
  {
    var all: [UInt32] = []
    for index in 0..<code.codeRanges.table.count {
      all.append(code.codeRanges.table[index].start)
      all.append(code.codeRanges.table[index].end)
    }
    for index in 0..<code.tables.rows.count { all.append(code.tables.rows[index].address) }
    for index in 0..<code.tables.sequences.count { all.append(code.tables.sequences[index].end) }
    for index in 0..<runs.scopes.count { all.append(runs.scopes[index].start) }
    for index in 0..<runs.rows.count { all.append(runs.rows[index].start) }
    all.sort()
    var kept = 0
    for index in all.indices where index == 0 || all[index] != all[index - 1] {
      all[kept] = all[index]
      kept += 1
    }
    all.removeLast(all.count - kept)
    return all
  }

  /// The starts of Mayday's functions, ascending.
  private static func functionStarts(_ code: borrowing ObjectCode) -> [UInt32] {
    var starts: [UInt32] = []
    for index in 0..<code.codeRanges.table.count {
      let codeRange = code.codeRanges.table[index]
      if code.tables.scopes[Int(codeRange.scope)].parent == CodeTables.none {
        starts.append(codeRange.start)
      }
    }
    return starts.sorted()
  }

  private mutating func compare(
    _ frames: borrowing Table<CacheFrame>, _ chain: borrowing Table<UInt32>, _ row: UInt32,
    isFunctionStart: Bool, at range: Range<UInt64>, _ facts: borrowing ReferenceFacts,
    _ cache: borrowing SymbolCache
  ) {
    // The name of a symbol, or a line, without a function.
    let isSymbolOnly =
      frames.count == 1
      && (frames[0].name.isEmpty || isSymbol(frames[0], facts, cache))
    let hasFunction = !frames.isEmpty && !isSymbolOnly || isFunctionStart
    if chain.isEmpty {
      if hasFunction {
        let verdict: ReferenceDifference.Verdict =
          facts.problemCount > 0 ? .unread : .onlyMayday
        add(.range, verdict, range, describe(frames, cache), "no function")
        return
      }
    } else if frames.isEmpty {
      add(.range, .onlySecond, range, "nothing", describe(chain, facts))
      return
    } else if frames.count != chain.count {
      let isUnread = facts.problemCount > 0 && frames.count > chain.count
      add(
        .inlined, isUnread ? .unread : .different, range, describe(frames, cache),
        describe(chain, facts))
      return
    } else if let kind = difference(frames, chain, facts, cache) {
      add(kind, .different, range, describe(frames, cache), describe(chain, facts))
      return
    }
    compareLocation(frames, row, at: range, facts, cache)
  }

  /// Whether the frame's name comes from a symbol that begins there.
  private func isSymbol(
    _ frame: CacheFrame, _ facts: borrowing ReferenceFacts, _ cache: borrowing SymbolCache
  ) -> Bool {
    let name = cache.text(frame.name)
    let hash = name.contentHash(from: 0, count: name.byteCount)
    return facts.symbols.contains(
      SymbolKey.key(cache.imageBase &+ UInt64(frame.functionStart), hash))
  }

  /// The first difference of two chains of the same length.
  private mutating func difference(
    _ frames: borrowing Table<CacheFrame>, _ chain: borrowing Table<UInt32>,
    _ facts: borrowing ReferenceFacts, _ cache: borrowing SymbolCache
  ) -> ReferenceDifference.Kind? {
    for index in 0..<frames.count {
      let scope = facts.scopes[Int(chain[index])]
      let isOutermost = index == frames.count - 1
      if !facts.names.matches(scope.name, cache.text(frames[index].name)),
        !isOutermost || !isSymbol(frames[index], facts, cache)
      {
        return isOutermost ? .function : .inlined
      }
      guard !isOutermost else { continue }
      let call = frames[index + 1]
      if call.line != scope.line || call.column != scope.column
        || !isSamePath(call.file, scope.path, facts, cache)
      {
        return .inlined
      }
    }
    return nil
  }

  private mutating func compareLocation(
    _ frames: borrowing Table<CacheFrame>, _ row: UInt32, at range: Range<UInt64>,
    _ facts: borrowing ReferenceFacts, _ cache: borrowing SymbolCache
  ) {
    var ours = CacheFrame()
    if !frames.isEmpty { ours = frames[0] }
    var theirs = ReferenceFacts.Row(address: 0, path: 0, line: 0, column: 0)
    if row != ReferenceFacts.none { theirs = facts.rows[Int(row)] }
    // Rows without a file carry no information.
    let isUnknown = UInt64(theirs.path) == ReferenceRecord.unknownPath
    let hasNoFile = facts.paths.isEmpty(theirs.path) && !isUnknown
    if hasNoFile {
      theirs.line = 0
      theirs.column = 0
    }
    if hasNoFile || ours.file.isEmpty, ours.line == 0, theirs.line == 0 { return }
    if ours.line == theirs.line, ours.column == theirs.column,
      isUnknown || isSamePath(ours.file, theirs.path, facts, cache)
    {
      return
    }
    let text = { (line: UInt32, column: UInt32, file: String) in
      file.isEmpty ? "no line" : "\(file):\(line):\(column)"
    }
    let verdict: ReferenceDifference.Verdict =
      row == ReferenceFacts.none
      ? (facts.problemCount > 0 ? .unread : .onlyMayday)
      : ours.file.isEmpty ? .onlySecond : .different
    add(
      .line, verdict, range, text(ours.line, ours.column, cache.text(ours.file).text),
      text(theirs.line, theirs.column, facts.paths.text(theirs.path)))
  }

  /// Whether two paths name one file: equal, or with the same last part. Readers join the folders
  /// before it differently.
  private mutating func isSamePath(
    _ ours: CacheFrame.Text, _ second: UInt32, _ facts: borrowing ReferenceFacts,
    _ cache: borrowing SymbolCache
  ) -> Bool {
    if facts.paths.matches(second, cache.text(ours)) { return true }
    func last(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    guard last(cache.text(ours).text) == last(facts.paths.text(second)) else { return false }
    report.spelledOtherwise += 1
    return true
  }

  // MARK: Words

  private func describe(
    _ frames: borrowing Table<CacheFrame>, _ cache: borrowing SymbolCache
  ) -> String {
    var parts: [String] = []
    for index in 0..<min(frames.count, 12) {
      let name = frames[index].name.isEmpty ? "?" : cache.text(frames[index].name).text
      var location = ""
      if index > 0 { location = " at \(frames[index].line):\(frames[index].column)" }
      parts.append(name + location)
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: " < ")
  }

  private func describe(
    _ chain: borrowing Table<UInt32>, _ facts: borrowing ReferenceFacts
  ) -> String {
    var parts: [String] = []
    for index in 0..<min(chain.count, 12) {
      let scope = facts.scopes[Int(chain[index])]
      let name = facts.names.isEmpty(scope.name) ? "?" : facts.names.text(scope.name)
      var location = ""
      if index > 0 {
        let call = facts.scopes[Int(chain[index - 1])]
        location = " at \(call.line):\(call.column)"
      }
      parts.append(name + location)
    }
    return parts.joined(separator: " < ")
  }
}
