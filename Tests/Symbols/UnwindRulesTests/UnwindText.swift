import Bytes
import UnwindRules

/// Rules as tests write them down: `0x10 rsp+16 rbp=c-16 ra=c-8`.
struct UnwindText {
  let rules: UnwindRules

  init(_ part: UnwindPart, _ target: UnwindTarget) throws {
    rules = try UnwindRules(opening: UnwindRules.compile(part, for: target))
    try rules.verify()
  }

  init(_ rules: UnwindRules) { self.rules = rules }

  /// All rows with their starts, and `-` where rules end.
  var lines: [String] {
    var lines: [String] = []
    var end: UInt32?
    rules.forEachRow { range, row in
      if let end, end < range.lowerBound { lines.append(hex(end) + " -") }
      lines.append(hex(range.lowerBound) + " " + text(row))
      end = range.upperBound
      return true
    }
    return lines + [end.map { hex($0) + " -" }].compactMap(\.self)
  }

  subscript(offset: UInt32) -> String? { rules.lookUp(offset).map(text) }

  private func hex(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
  private func signed(_ number: Int32) -> String { number < 0 ? "\(number)" : "+\(number)" }

  func text(_ row: UnwindRow) -> String {
    let registers = UnwindRegisters(rules.architecture)
    func expression(_ expression: UnwindExpression) -> String {
      "(" + rules.text(of: expression) + ")"
    }
    var words: [String] = []
    switch row.cfa {
    case .unknown: words.append("unknown")
    case .register(let register, let offset):
      words.append(registers.name(of: register) + signed(offset))
    case .expression(let place): words.append(expression(place))
    }
    for index in 0..<row.ruleCount {
      let (register, rule) = rules.rule(index, of: row)
      let name =
        register == row.returnAddressRegister ? "ra" : registers.name(of: register)
      let value =
        switch rule {
        case .undefined: "u"
        case .sameValue: "s"
        case .offset(let offset): "c" + signed(offset)
        case .valueOffset(let offset): "v" + signed(offset)
        case .register(let other): registers.name(of: other)
        case .expression(let place): "at" + expression(place)
        case .valueExpression(let place): expression(place)
        }
      words.append("\(name)=\(value)")
    }
    if let parameters = rules.parameterBytes(of: row) { words.append("params=\(parameters)") }
    if row.flags.contains(.signalFrame) { words.append("signal") }
    if row.flags.contains(.signedReturnAddress) { words.append("signed") }
    if row.flags.contains(.atCallsOnly) { words.append("at-calls") }
    if row.flags.contains(.searchedReturnAddress) { words.append("searched") }
    return words.joined(separator: " ")
  }
}
