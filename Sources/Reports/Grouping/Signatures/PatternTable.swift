/// All rules of some lists, arranged so that matches of a name are found without trying each.
///
/// A class, since a copy of a structure counts references to each of its arrays.
final class PatternTable: Sendable {
  let rules: [ListedRule]
  /// Rules without a wildcard, by the hash of their text.
  private let exact: [UInt64: [Int32]]
  // The literal beginnings of the other patterns as a tree, a node a byte, in flat arrays: the children of a
  // node are adjacent, and so are the rules whose beginning ends there.
  private let nodes: Nodes
  // Patterns that begin with a wildcard: by their last byte, or, where that is a wildcard too, with
  // the bytes that a name must have.
  private let byLastByte: [[Int32]]
  private let open: [(rule: Int32, needs: UInt64)]

  init(_ rules: [ListedRule]) {
    self.rules = rules
    var exact: [UInt64: [Int32]] = [:]
    var byLastByte: [[Int32]] = Array(repeating: [], count: 256)
    var open: [(rule: Int32, needs: UInt64)] = []
    var tree = Tree(ruleCount: rules.count)
    for (index, rule) in rules.enumerated() {
      if rule.pattern.isLiteral {
        exact[Self.hash(rule.pattern.literal), default: []].append(Int32(index))
      } else if !rule.pattern.literal.isEmpty {
        tree.insert(rule.pattern.literal, rule: Int32(index))
      } else if let last = rule.pattern.lastByte {
        byLastByte[Int(last)].append(Int32(index))
      } else {
        open.append((Int32(index), Self.bytes(of: rule.pattern.neededBytes)))
      }
    }
    self.exact = exact
    self.byLastByte = byLastByte
    self.open = open
    nodes = Nodes(tree)
  }

  /// The tree while it is built: nodes and rules are numbers, 0 is the root and never a child. Every process
  /// builds it at its start.
  private struct Tree {
    private(set) var bytes: [UInt8] = [0]
    /// Children in the order in which they were added.
    private(set) var firstChild: [Int32] = [0]
    private(set) var nextSibling: [Int32] = [0]
    private var lastChild: [Int32] = [0]
    /// The rules whose beginning ends at a node, as a list; -1 for none.
    private(set) var firstRule: [Int32] = [-1]
    private(set) var nextRule: [Int32]
    private var lastRule: [Int32] = [-1]

    init(ruleCount: Int) { nextRule = Array(repeating: -1, count: ruleCount) }

    mutating func insert(_ literal: NameBytes, rule: Int32) {
      var node = 0
      for byte in literal { node = child(of: node, byte) }
      if firstRule[node] < 0 {
        firstRule[node] = rule
      } else {
        nextRule[Int(lastRule[node])] = rule
      }
      lastRule[node] = rule
    }

    private mutating func child(of node: Int, _ byte: UInt8) -> Int {
      var child = Int(firstChild[node])
      while child != 0 {
        if bytes[child] == byte { return child }
        child = Int(nextSibling[child])
      }
      child = bytes.count
      bytes.append(byte)
      firstChild.append(0)
      nextSibling.append(0)
      lastChild.append(0)
      firstRule.append(-1)
      lastRule.append(-1)
      if firstChild[node] == 0 {
        firstChild[node] = Int32(child)
      } else {
        nextSibling[Int(lastChild[node])] = Int32(child)
      }
      lastChild[node] = Int32(child)
      return child
    }
  }

  /// The completed tree.
  private struct Nodes {
    private(set) var children: [Range<Int32>] = []
    private(set) var bytes: [UInt8] = []
    private(set) var targets: [Int32] = []
    private(set) var ends: [Range<Int32>] = []
    private(set) var endRules: [Int32] = []
    /// The children of the root, which has many; -1 for none.
    private(set) var firstBytes: [Int32] = Array(repeating: -1, count: 256)

    init(_ tree: Tree) {
      var queue: [Int32] = [0]
      queue.reserveCapacity(tree.bytes.count)
      var next = 0
      while next < queue.count {
        let node = Int(queue[next])
        next += 1
        let first = Int32(bytes.count)
        var child = tree.firstChild[node]
        while child != 0 {
          bytes.append(tree.bytes[Int(child)])
          targets.append(Int32(queue.count))
          queue.append(child)
          child = tree.nextSibling[Int(child)]
        }
        children.append(first..<Int32(bytes.count))
        let firstRule = Int32(endRules.count)
        var rule = tree.firstRule[node]
        while rule >= 0 {
          endRules.append(rule)
          rule = tree.nextRule[Int(rule)]
        }
        ends.append(firstRule..<Int32(endRules.count))
      }
      for position in children[0] { firstBytes[Int(bytes[Int(position)])] = targets[Int(position)] }
    }

    func child(of node: Int, _ byte: UInt8) -> Int? {
      if node == 0 {
        let first = firstBytes[Int(byte)]
        return first < 0 ? nil : Int(first)
      }
      for position in children[node] where bytes[Int(position)] == byte {
        return Int(targets[Int(position)])
      }
      return nil
    }
  }

  /// FNV-1a: quick, and the same on every machine. Never in a key.
  static func hash(_ name: NameBytes) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// A set of the bytes in `name`, four of them to a bit.
  private static func bytes(of name: NameBytes) -> UInt64 {
    var bytes: UInt64 = 0
    for byte in name { bytes |= 1 << UInt64(byte & 63) }
    return bytes
  }

  /// The rules that match `name`, the last in the lists first.
  func matches(_ name: NameBytes) -> [Int32] { matches(name, hash: Self.hash(name)) }

  /// - Parameter hash: The hash of `name`.
  func matches(_ name: NameBytes, hash: UInt64) -> [Int32] {
    var found: [Int32] = []
    for rule in exact[hash] ?? [] where rules[Int(rule)].pattern.literal == name {
      found.append(rule)
    }
    if let last = name.last {
      for rule in byLastByte[Int(last)] where rules[Int(rule)].pattern.fits(name) {
        found.append(rule)
      }
    }
    if !open.isEmpty {
      let bytes = Self.bytes(of: name)
      for (rule, needs) in open
      where needs & ~bytes == 0 && rules[Int(rule)].pattern.fits(name) { found.append(rule) }
    }
    var node = 0
    var index = 0
    while true {
      for position in nodes.ends[node] {
        let rule = nodes.endRules[Int(position)]
        let pattern = rules[Int(rule)].pattern
        if pattern.isPrefix || pattern.fits(name, from: index) { found.append(rule) }
      }
      guard index < name.count else { break }
      let byte = name[index]
      guard let next = nodes.child(of: node, byte) else { break }
      node = next
      index += 1
    }
    if found.count > 1 { found.sort(by: >) }
    return found
  }

  /// The last rule that matches `name`.
  func match(_ name: NameBytes) -> ListedRule? { matches(name).first.map { rules[Int($0)] } }
}
