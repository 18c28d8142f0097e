internal import Bytes
internal import CrashModel
internal import Crypto

/// Compiles lists into a ``RuleFile``.
///
/// Version 1 was compiled once, and is part of the program as `Compiled/v1.table`; only what has no such file, as
/// a version without one of its lists, is compiled where it is used.
struct RuleCompiler {
  private var file: [UInt8] = []
  private let lists: [RuleList]

  /// The compiled form of `lists`.
  ///
  /// - Parameters:
  ///   - version: The version's name.
  ///   - texts: The text of each list, with the end of the last line.
  static func compile(_ version: String, _ lists: [RuleList], _ texts: [[UInt8]]) -> [UInt8] {
    var compiler = RuleCompiler(lists: lists)
    compiler.compile(version, texts)
    return compiler.file
  }

  private init(lists: [RuleList]) { self.lists = lists }

  /// A rule with where its pattern is.
  private struct PlacedRule {
    let rule: ListedRule
    let list: Int
    let position: Int
  }

  private mutating func compile(_ version: String, _ texts: [[UInt8]]) {
    file += RuleFile.magic
    append(short: RuleFile.layout)
    append(short: lists.count)
    append(word: RuleFile.Table.allCases.count)
    file += Self.digest(version, lists, texts)
    var entry = file.count
    file += Array(repeating: 0, count: lists.count * RuleFile.listSize)
    let tables = file.count
    file += Array(
      repeating: 0, count: RuleFile.Table.allCases.count * RuleFile.tableSize)
    var rules: [[PlacedRule]] = []
    for (number, list) in lists.enumerated() {
      put(file.count, at: &entry)
      put(list.name.utf8.count, at: &entry)
      file += Array(list.name.utf8)
      put(file.count, at: &entry)
      put(texts[number].count, at: &entry)
      rules.append(Self.rules(of: list, number, texts[number], at: file.count))
      file += texts[number]
    }
    for table in RuleFile.Table.allCases {
      let taken = rules.indices.flatMap { number in
        rules[number].filter { Self.table(table, takes: $0.rule, of: lists[number]) }
      }
      append(taken, describedAt: tables + table.rawValue * RuleFile.tableSize)
    }
  }

  /// The SHA-256 of the version and of all lists.
  private static func digest(
    _ version: String, _ lists: [RuleList], _ texts: [[UInt8]]
  ) -> [UInt8] {
    let end: UInt8 = 0x1F
    var bytes = NameBytes(version.utf8) + [end]
    for (list, text) in zip(lists, texts) {
      bytes += NameBytes(list.name.utf8) + [end] + text.dropLast() + [end]
    }
    return SHA256.digest(of: ByteView(bytes))
  }

  /// The lists are part of the program, and a test reads each of them: a line that is not a rule is a bug.
  private static func rules(
    of list: RuleList, _ number: Int, _ text: [UInt8], at position: Int
  ) -> [PlacedRule] {
    ListedRule.lines(of: text).map { line in
      do throws(RuleError) {
        let rule = try ListedRule(
          text[line.range], list: list.name, line: line.number, frameClass: list.frameClass)
        return PlacedRule(rule: rule, list: number, position: position + line.range.lowerBound)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  private static func table(
    _ table: RuleFile.Table, takes rule: ListedRule, of list: RuleList
  ) -> Bool {
    let dot = UInt8(ascii: ".")
    let literal = rule.pattern.literal
    return switch (table, list.role) {
    case (.classes, .frameClass), (.handled, .handled), (.idle, .idle), (.memory, .memory),
      (.extend, .extend), (.images, .images), (.libraries, .libraries), (.runtimes, .runtimes),
      (.messages, .messages), (.tests, .tests), (.fileLocks, .fileLocks), (.crumbs, .crumbs),
      (.packages, .packages):
      true
    case (.swiftTypes, .swift): literal.first != dot && literal.last == dot
    case (.swiftMembers, .swift): literal.first == dot
    case (.swiftFunctions, .swift): literal.first != dot && literal.last != dot
    default: false
    }
  }

  // MARK: Tables

  private mutating func append(_ rules: [PlacedRule], describedAt position: Int) {
    precondition(rules.count < 0xFFFF, "a table has at most 65534 rules")
    var position = position
    put(file.count, at: &position)
    put(rules.count, at: &position)
    for rule in rules { append(rule) }
    var literals: [Int] = []
    var beginnings: [Int] = []
    var endings: [[Int]] = Array(repeating: [], count: 256)
    var open: [Int] = []
    for (number, placed) in rules.enumerated() {
      let pattern = placed.rule.pattern
      if pattern.shape == .literal {
        literals.append(number)
      } else if pattern.literalCount > 0 {
        beginnings.append(number)
      } else if let last = pattern.lastByte {
        endings[Int(last)].append(number)
      } else {
        open.append(number)
      }
    }
    appendSlots(of: literals, rules, describedAt: &position)
    appendTree(of: beginnings, rules, describedAt: &position)
    put(file.count, at: &position)
    var first = 0
    for rules in endings + [[]] {
      append(short: first)
      first += rules.count
    }
    put(file.count, at: &position)
    for rule in endings.joined() { append(short: rule) }
    put(file.count, at: &position)
    put(open.count, at: &position)
    for rule in open {
      append(PatternTable.set(of: rules[rule].rule.pattern.neededBytes))
      append(short: rule)
    }
  }

  private mutating func append(_ placed: PlacedRule) {
    let rule = placed.rule
    let (pattern, module) = (rule.pattern.bytes, rule.module)
    precondition(pattern.count < 256, "\(rule.id): a pattern has at most 255 bytes")
    precondition((module?.bytes.count ?? 0) < 256, "\(rule.id): a module has at most 255 bytes")
    precondition(rule.line < 65_536, "\(rule.id): a list has at most 65535 lines")
    append(word: placed.position)
    file.append(UInt8(pattern.count))
    file.append(UInt8(rule.pattern.literalCount))
    file.append(rule.pattern.shape.rawValue)
    file.append(UInt8(placed.list))
    append(short: rule.line)
    file.append(Self.code(rule.frameClass, in: RuleFile.classes))
    file.append(rule.options.rawValue)
    file.append(Self.code(rule.origin, in: RuleFile.origins))
    file.append(UInt8(module?.bytes.count ?? 0))
    append(short: module?.distance ?? 0)
  }

  private static func code<Value: Equatable>(_ value: Value?, in values: [Value]) -> UInt8 {
    guard let value else { return 0 }
    guard let index = values.firstIndex(of: value) else { preconditionFailure("no such code") }
    return UInt8(index + 1)
  }

  /// Appends the slots of rules without a wildcard, of which half stay empty.
  private mutating func appendSlots(
    of literals: [Int], _ rules: [PlacedRule], describedAt position: inout Int
  ) {
    put(file.count, at: &position)
    var count = literals.isEmpty ? 0 : 1
    while count < literals.count * 2 { count *= 2 }
    put(count, at: &position)
    var slots = Array(repeating: 0, count: count)
    for number in literals {
      let hash = PatternTable.hash(rules[number].rule.pattern.bytes)
      var slot = Int(truncatingIfNeeded: hash) & (count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (count - 1) }
      slots[slot] = Int(hash >> 48) << 16 | (number + 1)
    }
    for slot in slots { append(word: slot) }
  }

  /// A node whose children are still to be appended.
  private struct OpenNode {
    /// The rules at and below it, in the order of their beginnings.
    let rules: ArraySlice<Int>
    /// The bytes of the beginnings that it and its parents have.
    let range: Range<Int>
  }

  private mutating func appendTree(
    of beginnings: [Int], _ rules: [PlacedRule], describedAt position: inout Int
  ) {
    func literal(_ rule: Int) -> ArraySlice<UInt8> { rules[rule].rule.pattern.literal }
    let sorted = beginnings.sorted { left, right in
      let (one, other) = (literal(left), literal(right))
      return one.elementsEqual(other) ? left < right : one.lexicographicallyPrecedes(other)
    }
    var nodes = [OpenNode(rules: sorted[...], range: 0..<0)]
    var nodeRules: [Int] = []
    var firstBytes = Array(repeating: 0, count: 256)
    put(file.count, at: &position)
    var next = 0
    while next < nodes.count {
      let node = nodes[next]
      let here = node.rules.prefix { literal($0).count == node.range.upperBound }
      var below = node.rules.dropFirst(here.count)
      let firstChild = nodes.count
      while let first = below.first {
        let depth = node.range.upperBound
        let group = below.prefix { literal($0)[depth] == literal(first)[depth] }
        // In order, so that the first and the last share what all of them do.
        let shared = zip(literal(first), literal(group[group.endIndex - 1])).prefix {
          $0.0 == $0.1
        }
        if next == 0 { firstBytes[Int(literal(first)[0])] = nodes.count }
        nodes.append(OpenNode(rules: group, range: depth..<shared.count))
        below = below.dropFirst(group.count)
      }
      append(
        node, of: rules, children: firstChild..<nodes.count, firstRule: nodeRules.count,
        ruleCount: here.count)
      nodeRules += here
      next += 1
    }
    precondition(nodes.count <= 65_536, "a tree has at most 65536 nodes")
    put(file.count, at: &position)
    for rule in nodeRules { append(short: rule) }
    put(file.count, at: &position)
    for node in firstBytes { append(short: node) }
  }

  private mutating func append(
    _ node: OpenNode, of rules: [PlacedRule], children: Range<Int>, firstRule: Int, ruleCount: Int
  ) {
    precondition(ruleCount < 256, "at most 255 patterns share a beginning")
    let label = node.rules.first.map { rules[$0].position + node.range.lowerBound } ?? 0
    append(word: label)
    file.append(UInt8(node.range.count))
    file.append(UInt8(truncatingIfNeeded: min(children.count, 255)))
    append(short: children.lowerBound)
    append(short: firstRule)
    file.append(UInt8(ruleCount))
    file.append(node.range.isEmpty ? 0 : file[label])
  }

  // MARK: Bytes

  private mutating func append(word: Int) {
    for shift in stride(from: 0, to: 32, by: 8) {
      file.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  private mutating func append(short: Int) {
    precondition(short <= 0xFFFF, "a number of a compiled rule has two bytes")
    file.append(UInt8(truncatingIfNeeded: short))
    file.append(UInt8(truncatingIfNeeded: short >> 8))
  }

  private mutating func append(_ long: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      file.append(UInt8(truncatingIfNeeded: long >> UInt64(shift)))
    }
  }

  /// Writes a word at `position`, and moves that to the next.
  private mutating func put(_ word: Int, at position: inout Int) {
    for shift in stride(from: 0, to: 32, by: 8) {
      file[position] = UInt8(truncatingIfNeeded: word >> shift)
      position += 1
    }
  }
}
