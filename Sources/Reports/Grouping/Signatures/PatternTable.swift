internal import Bytes

/// The rules of some lists, arranged so that matches of a name are found without trying each.
struct PatternTable: Sendable {
  private let file: RuleFile
  // Offsets and counts, as ``RuleFile`` has them.
  private let rules: Int
  private let slots: Int
  private let slotCount: Int
  private let nodes: Int
  private let nodeRules: Int
  private let firstBytes: Int
  private let lastBytes: Int
  private let lastByteRules: Int
  private let open: Int
  private let openCount: Int

  init(_ table: RuleFile.Table, of file: RuleFile) {
    self.file = file
    let position = file.position(of: table)
    let bytes = file.view.bytes
    rules = bytes.word(position)
    slots = bytes.word(position + 8)
    slotCount = bytes.word(position + 12)
    nodes = bytes.word(position + 16)
    nodeRules = bytes.word(position + 20)
    firstBytes = bytes.word(position + 24)
    lastBytes = bytes.word(position + 28)
    lastByteRules = bytes.word(position + 32)
    open = bytes.word(position + 36)
    openCount = bytes.word(position + 40)
  }

  /// A rule by its place in the lists.
  func rule(_ number: Int32) -> CompiledRule {
    CompiledRule(file, at: rules + Int(number) * RuleFile.ruleSize)
  }

  /// FNV-1a: quick, and the same on every machine. Never in a key.
  static func hash(_ name: NameBytes) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// A set of the bytes in `name`, four of them to a bit.
  static func set(of name: NameBytes) -> UInt64 {
    var bytes: UInt64 = 0
    for byte in name { bytes |= 1 << UInt64(byte & 63) }
    return bytes
  }

  /// The rules that match `name`, the last in the lists first.
  ///
  /// - Parameter hash: The hash of `name`.
  func matches(_ name: NameBytes, hash: UInt64) -> [Int32] {
    var found: [Int32] = []
    find(name, hash) { found.append(Int32($0)) }
    if found.count > 1 { found.sort(by: >) }
    return found
  }

  /// The last rule that matches `name`.
  ///
  /// - Parameter hash: The hash of `name`.
  func match(_ name: NameBytes, hash: UInt64) -> CompiledRule? {
    var last = -1
    find(name, hash) { last = max(last, $0) }
    return last < 0 ? nil : rule(Int32(last))
  }

  func match(_ name: NameBytes) -> CompiledRule? { match(name, hash: Self.hash(name)) }

  @inline(__always)
  private func find(_ name: NameBytes, _ hash: UInt64, _ take: (Int) -> Void) {
    let file = file.view.bytes
    findLiterals(name, hash, take)
    findBeginnings(name, take)
    if let last = name.last {
      let index = lastBytes + Int(last) * 2
      for position in file.short(index)..<file.short(index + 2) {
        let rule = file.short(lastByteRules + position * 2)
        if fits(name, rule) { take(rule) }
      }
    }
    guard openCount > 0 else { return }
    let bytes = Self.set(of: name)
    for position in 0..<openCount {
      let entry = open + position * RuleFile.openSize
      guard file.long(entry) & ~bytes == 0 else { continue }
      let rule = file.short(entry + 8)
      if fits(name, rule) { take(rule) }
    }
  }

  /// Rules without a wildcard.
  private func findLiterals(_ name: NameBytes, _ hash: UInt64, _ take: (Int) -> Void) {
    guard slotCount > 0 else { return }
    let file = file.view.bytes
    var slot = Int(truncatingIfNeeded: hash) & (slotCount - 1)
    while true {
      let entry = file.word(slots + slot * RuleFile.slotSize)
      guard entry != 0 else { return }
      if entry >> 16 == Int(hash >> 48), fits(name, entry & 0xFFFF - 1) { take(entry & 0xFFFF - 1) }
      slot = (slot + 1) & (slotCount - 1)
    }
  }

  /// Rules that begin with bytes that stand for themselves.
  private func findBeginnings(_ name: NameBytes, _ take: (Int) -> Void) {
    guard !name.isEmpty else { return }
    let file = file.view.bytes
    var node = nodes + file.short(firstBytes + Int(name[0]) * 2) * RuleFile.nodeSize
    guard node != nodes else { return }
    var index = 0
    while true {
      let (label, count) = (file.word(node), Int(file.byte(node + 4)))
      guard name.count - index >= count else { return }
      for position in 0..<count where file.byte(label + position) != name[index + position] {
        return
      }
      index += count
      let first = file.short(node + 8)
      for position in first..<first + Int(file.byte(node + 10)) {
        let rule = file.short(nodeRules + position * 2)
        if ends(name, index, rule) { take(rule) }
      }
      guard index < name.count else { return }
      var child = nodes + file.short(node + 6) * RuleFile.nodeSize
      let end = child + Int(file.byte(node + 5)) * RuleFile.nodeSize
      while child < end, file.byte(child + 11) != name[index] { child += RuleFile.nodeSize }
      guard child < end else { return }
      node = child
    }
  }

  private func fits(_ name: NameBytes, _ rule: Int) -> Bool {
    let position = rules + rule * RuleFile.ruleSize
    return NamePattern.fits(
      name, in: file.view.bytes, range(position), shape(position),
      literalCount: Int(file.view.bytes.byte(position + 5)))
  }

  /// Whether a name fits a rule with whose bytes before the first wildcard it begins.
  private func ends(_ name: NameBytes, _ index: Int, _ rule: Int) -> Bool {
    let position = rules + rule * RuleFile.ruleSize
    return shape(position) == .prefix
      || NamePattern.fits(
        name, from: index, in: file.view.bytes, range(position).dropFirst(index))
  }

  private func range(_ position: Int) -> Range<Int> {
    let start = file.view.bytes.word(position)
    return start..<start + Int(file.view.bytes.byte(position + 4))
  }

  private func shape(_ position: Int) -> NamePattern.Shape {
    NamePattern.Shape(rawValue: file.view.bytes.byte(position + 6)) ?? .elements
  }
}
