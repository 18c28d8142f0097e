internal import Bytes
internal import CrashModel
internal import Identifiers

extension KernelParser {
  /// Reads a row of registers: `RAX: 0000000000000000 RBX: ...`, `x29: ffffffc0805a3cc0 x28: ...`,
  /// `r7 : df912310  r6 : df912140`, `GPR04: 0000000000000800 0000000000000000 ...`.
  mutating func readRegisters(_ text: RawSpan) -> Bool {
    guard !isInUser, let row = Self.row(text) else { return false }
    noteArchitecture(row, text)
    guard !hasEnded, main == nil || registers.isEmpty || hasOpenStack else { return true }
    for register in row
    where registers.count < FormatLimits.registers
      && !registers.contains(where: { $0.name == register.name })
    {
      registers.append(register)
    }
    if let cause = row.first(where: { ["cr2", "dar", "badaddr", "far", "badv"].contains($0.name) }),
      report.reason.address == nil, event.type.contains("unable to handle")
    {
      report.reason.address = Address(cause.value)
    }
    return true
  }

  private mutating func noteArchitecture(_ row: [Register], _ text: RawSpan) {
    guard architecture == nil else { return }
    let names = row.map(\.name)
    if names.contains("x29") || text.contains("pstate: ") {
      architecture = .arm64
    } else if text.contains("psr: ") || names.contains("r10") && names.contains("r9") {
      architecture = .arm
    } else if text.has("GPR") {
      architecture = .ppc64
    } else if text.has("$ 0 ") {
      architecture = .mips
    }
  }

  /// Names before numbers that are not registers.
  private static let others: Set<String> = [
    "task", "ti", "cpu", "pid", "uid", "trap", "efer", "fault",
  ]

  /// The registers of a row; `nil` when it is not one.
  private static func row(_ text: RawSpan) -> [Register]? {
    guard text.byteCount < 512 else { return nil }
    var registers: [Register] = []
    var index = 0
    while index < text.byteCount {
      index = text.skippingBlanks(from: index)
      if text.byteOrZero(index) == UInt8(ascii: "$") {
        index = text.skippingBlanks(from: index + 1)
      }
      let start = index
      while text.byteOrZero(index).isLetter || text.byteOrZero(index).isDigit
        || text.byteOrZero(index) == UInt8(ascii: "_")
      {
        index += 1
      }
      let name = text.part(start..<index)
      guard name.byteCount > 0, name.byteCount < 10 else { break }
      index = text.skippingBlanks(from: index)
      guard text.byteOrZero(index) == UInt8(ascii: ":") else { break }
      index = text.skippingBlanks(from: index + 1)
      let count = registers.count
      readValues(of: name.name.lowercased(), in: text, at: &index, into: &registers)
      if registers.count == count, count == 0 { return nil }
    }
    return registers.isEmpty ? nil : registers
  }

  /// One value, or those of several registers from `name` on: `gpr04: A B C D`.
  private static func readValues(
    of name: String, in text: RawSpan, at index: inout Int, into registers: inout [Register]
  ) {
    var number = Int(name.drop { !$0.isNumber })
    let stem = String(name.prefix { !$0.isNumber })
    var name = name
    while true {
      var next = index
      let isBracketed = text.has("[<", at: next)
      if isBracketed { next += 2 }
      let first = next
      guard var value = text.hexadecimalDigits(at: &next) else { return }
      if next - first == 4, text.byteOrZero(next) == UInt8(ascii: ":") {
        // The segment before the stack pointer.
        next += 1
        guard let offset = text.hexadecimalDigits(at: &next) else { return }
        value = offset
      }
      if isBracketed, text.has(">]", at: next) { next += 2 }
      let isValue = next - first >= 8
      // `FS:  00007f(0000)`
      if text.byteOrZero(next) == UInt8(ascii: "("),
        let close = text.upTo(next + 8).find(UInt8(ascii: ")"), from: next)
      {
        next = close + 1
      }
      guard next == text.byteCount || text.byteOrZero(next).isBlank else { return }
      index = text.skippingBlanks(from: next)
      if isValue, !others.contains(name) { registers.append(Register(name, value)) }
      // Another number without a name belongs to the next register.
      guard let known = number, isValue, text.byteOrZero(index).hexadecimalDigit != nil,
        !Self.isNamed(text, at: index)
      else { return }
      number = known + 1
      name = stem + (known + 1 < 10 && stem == "gpr" ? "0" : "") + String(known + 1)
    }
  }

  /// Whether a name and a colon are at `index`, and not a number.
  private static func isNamed(_ text: RawSpan, at index: Int) -> Bool {
    var end = index
    while text.byteOrZero(end).isLetter || text.byteOrZero(end).isDigit { end += 1 }
    return text.byteOrZero(text.skippingBlanks(from: end)) == UInt8(ascii: ":")
  }
}
