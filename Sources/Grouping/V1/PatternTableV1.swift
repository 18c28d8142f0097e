/// All rules of some lists, arranged so that the ones that fit a name are found without trying each.
struct PatternTableV1: Sendable {
  let rules: [RuleV1]
  private var exact: [NameBytes: [Int32]] = [:]
  /// The literal beginnings of the other patterns, a node a byte.
  private var nodes: [Node] = [Node()]

  private struct Node: Sendable {
    var bytes: [UInt8] = []
    var children: [Int32] = []
    /// Rules whose literal beginning ends here.
    var rules: [Int32] = []
  }

  init(_ rules: [RuleV1]) {
    self.rules = rules
    for (index, rule) in rules.enumerated() {
      if rule.pattern.isLiteral {
        exact[rule.pattern.literal, default: []].append(Int32(index))
      } else {
        let node = insert(rule.pattern.literal)
        nodes[node].rules.append(Int32(index))
      }
    }
  }

  private mutating func insert(_ literal: NameBytes) -> Int {
    var node = 0
    for byte in literal {
      if let place = nodes[node].bytes.firstIndex(of: byte) {
        node = Int(nodes[node].children[place])
      } else {
        nodes.append(Node())
        nodes[node].bytes.append(byte)
        nodes[node].children.append(Int32(nodes.count - 1))
        node = nodes.count - 1
      }
    }
    return node
  }

  /// The rules that fit `name`, the last in the lists first.
  func matches(_ name: NameBytes) -> [Int32] {
    var found = exact[name] ?? []
    var node = 0
    var index = 0
    while true {
      for rule in nodes[node].rules {
        let pattern = rules[Int(rule)].pattern
        if pattern.isPrefix || pattern.fits(name, from: index) { found.append(rule) }
      }
      guard index < name.count, let place = nodes[node].bytes.firstIndex(of: name[index]) else {
        break
      }
      node = Int(nodes[node].children[place])
      index += 1
    }
    if found.count > 1 { found.sort(by: >) }
    return found
  }

  /// The last rule that fits `name`.
  func match(_ name: NameBytes) -> RuleV1? { matches(name).first.map { rules[Int($0)] } }
}
