/// Decodes an instruction of 64-bit Arm: loads, stores, branches and traps. Others are decoded as four bytes
/// without a name.
///
/// Source: Arm Architecture Reference Manual for A-profile, chapter C4, "A64 Instruction Set Encoding".
struct ARM64Decoder {
  private let word: UInt32
  private let address: UInt64

  init(_ word: UInt32, at address: UInt64) {
    self.word = word
    self.address = address
  }

  private func bits(_ high: Int, _ low: Int) -> Int {
    Int(word >> UInt32(low) & (1 << UInt32(high - low + 1) - 1))
  }

  private func signed(_ high: Int, _ low: Int) -> Int64 {
    let count = high - low + 1
    let value = Int64(bits(high, low))
    return value >= 1 << Int64(count - 1) ? value - 1 << Int64(count) : value
  }

  private func bit(_ number: Int) -> Bool { bits(number, number) == 1 }

  var instruction: Instruction {
    if let branch { return branch }
    if let trap { return trap }
    if word & 0x0a00_0000 == 0x0800_0000, let access = loadOrStore { return access }
    // `dc zva` clears a block of a cache; the register names any byte of it.
    if word & 0xffff_ffe0 == 0xd50b_7420 {
      let register = general(bits(4, 0), 8)
      return Instruction(
        length: 4, text: "dc zva, " + register,
        accesses: [MemoryAccess(.write, MemoryOperand(base: register), size: nil)])
    }
    return Instruction(length: 4, text: word == 0xd503_201f ? "nop" : nil)
  }

  // MARK: Names

  private func general(_ number: Int, _ size: Int) -> String {
    (size == 8 ? "x" : "w") + (number == 31 ? "zr" : String(number))
  }

  private func vector(_ number: Int, _ size: Int) -> String {
    let letter = [1: "b", 2: "h", 4: "s", 8: "d", 16: "q"][size] ?? "v"
    return letter + String(number)
  }

  /// The base register of addresses.
  private var base: String { bits(9, 5) == 31 ? "sp" : "x\(bits(9, 5))" }

  private static func hex(_ value: Int64) -> String {
    (value < 0 ? "-0x" : "0x") + String(value.magnitude, radix: 16)
  }

  // MARK: Branches and traps

  private var branch: Instruction? {
    func to(
      _ offset: Int64, _ name: String, _ kind: Instruction.Flow.Kind = .jump, _ first: String = ""
    ) -> Instruction {
      let target = address &+ UInt64(bitPattern: offset * 4)
      return Instruction(
        length: 4, text: "\(name) \(first)0x" + String(target, radix: 16),
        flow: .init(kind: kind, target: .address(target)))
    }
    switch word >> 24 {
    case 0x14...0x17: return to(signed(25, 0), "b")
    case 0x94...0x97: return to(signed(25, 0), "bl", .call)
    case 0x54:
      let conditions = "eq ne hs lo mi pl vs vc hi ls ge lt gt le al nv".split(separator: " ")
      return to(signed(23, 5), (bit(4) ? "bc." : "b.") + conditions[bits(3, 0)])
    case 0x34, 0x35, 0xb4, 0xb5:
      let register = general(bits(4, 0), bit(31) ? 8 : 4)
      return to(signed(23, 5), bit(24) ? "cbnz" : "cbz", .jump, register + ", ")
    case 0x36, 0x37, 0xb6, 0xb7:
      let number = bits(31, 31) << 5 | bits(23, 19)
      let register = general(bits(4, 0), bit(31) ? 8 : 4)
      return to(signed(18, 5), bit(24) ? "tbnz" : "tbz", .jump, "\(register), #\(number), ")
    case 0xd6, 0xd7: return branchToRegister
    default: return nil
    }
  }

  private var branchToRegister: Instruction? {
    guard bits(20, 16) == 31 else { return nil }
    let isSigned = bits(15, 11) == 1
    guard isSigned || bits(15, 10) == 0 else { return nil }
    let key = isSigned ? (bit(10) ? "ab" : "aa") : ""
    let zero = isSigned && !bit(24) ? "z" : ""
    switch bits(23, 21) {
    case 0, 1:
      let isCall = bits(23, 21) == 1
      let register = general(bits(9, 5), 8)
      var text = (isCall ? "blr" : "br") + (key.isEmpty ? "" : String(key)) + zero + " " + register
      if bit(24) { text += ", " + (bits(4, 0) == 31 ? "sp" : general(bits(4, 0), 8)) }
      return Instruction(
        length: 4, text: text,
        flow: .init(kind: isCall ? .call : .jump, target: .register(register)))
    case 2:
      let register = isSigned ? "x30" : general(bits(9, 5), 8)
      return Instruction(
        length: 4, text: "ret" + key + (isSigned || register == "x30" ? "" : " " + register),
        flow: .init(kind: .return, target: .register(register)))
    default: return nil
    }
  }

  private var trap: Instruction? {
    let number = "#" + Self.hex(Int64(bits(20, 5)))
    switch word & 0xffe0_001f {
    case 0xd420_0000: return Instruction(length: 4, text: "brk " + number, isTrap: true)
    case 0xd440_0000: return Instruction(length: 4, text: "hlt " + number, isTrap: true)
    case 0xd400_0001: return Instruction(length: 4, text: "svc " + number)
    default: break
    }
    guard word >> 16 == 0 else { return nil }
    return Instruction(
      length: 4, text: "udf #" + Self.hex(Int64(bits(15, 0))), isTrap: true)
  }

  // MARK: Memory

  /// An access at the base and a number.
  private func access(
    _ name: String, _ registers: [String], _ kind: MemoryAccess.Kind, size: Int?,
    _ displacement: Int64 = 0, mode: Mode = .offset, needsAlignment: Bool = false
  ) -> Instruction {
    let memory: String
    switch mode {
    case .offset: memory = displacement == 0 ? "[\(base)]" : "[\(base), #\(Self.hex(displacement))]"
    case .post: memory = "[\(base)], #\(Self.hex(displacement))"
    case .pre: memory = "[\(base), #\(Self.hex(displacement))]!"
    }
    let operand = MemoryOperand(base: base, displacement: mode == .post ? 0 : displacement)
    return Instruction(
      length: 4, text: name + " " + (registers + [memory]).joined(separator: ", "),
      accesses: [MemoryAccess(kind, operand, size: size)], needsAlignment: needsAlignment)
  }

  private enum Mode {
    case offset, post, pre
  }

  private var loadOrStore: Instruction? {
    switch word & 0x3b00_0000 {
    case 0x0800_0000 where !bit(26): return exclusive
    case 0x0800_0000, 0x0900_0000: return structures
    case 0x1800_0000: return literal
    case 0x1900_0000: return bit(26) ? nil : releaseOrTag
    case 0x2800_0000, 0x2900_0000: return pair
    case 0x3800_0000: return bit(21) ? registerOrAtomic : shortOffset
    case 0x3900_0000:
      return register.map {
        access($0.name, [$0.register], $0.kind, size: $0.size, Int64(bits(21, 10) * $0.size))
      } ?? prefetch
    default: return nil
    }
  }

  /// The meaning of the fields `size`, `V` and `opc`.
  private var register: (name: String, register: String, kind: MemoryAccess.Kind, size: Int)? {
    let size = 1 << bits(31, 30)
    let operation = bits(23, 22)
    let number = bits(4, 0)
    if bit(26) {
      guard operation < 2 || size == 1 else { return nil }
      let size = operation < 2 ? size : 16
      let isLoad = operation & 1 == 1
      return (isLoad ? "ldr" : "str", vector(number, size), isLoad ? .read : .write, size)
    }
    let suffix = [1: "b", 2: "h"][size] ?? ""
    switch operation {
    case 0: return ("str" + suffix, general(number, size == 8 ? 8 : 4), .write, size)
    case 1: return ("ldr" + suffix, general(number, size == 8 ? 8 : 4), .read, size)
    default:
      guard size < 4 || size == 4 && operation == 2 else { return nil }
      let name = "ldrs" + (size == 4 ? "w" : suffix)
      return (name, general(number, operation == 2 ? 8 : 4), .read, size)
    }
  }

  /// A prefetch hint, which fails without a trace.
  private var prefetch: Instruction? {
    bits(31, 30) == 3 && bits(23, 22) == 2 && !bit(26) ? Instruction(length: 4, text: "prfm") : nil
  }

  private var shortOffset: Instruction? {
    guard let register else { return prefetch }
    let modes: [(Mode, String)] = [(.offset, "u"), (.post, ""), (.offset, "t"), (.pre, "")]
    let (mode, mark) = modes[bits(11, 10)]
    // `ldur` for `ldr`, `sttr` for `str`.
    let name =
      mark.isEmpty ? register.name : register.name.prefix(2) + mark + register.name.dropFirst(2)
    return access(
      String(name), [register.register], register.kind, size: register.size, signed(20, 12),
      mode: mode)
  }

  private var registerOrAtomic: Instruction? {
    switch bits(11, 10) {
    case 2:
      guard let register else { return prefetch }
      let option = bits(15, 13)
      guard option & 2 != 0 else { return nil }
      let isLong = option & 1 == 1
      let index = general(bits(20, 16), isLong ? 8 : 4)
      let shift = bit(12) ? register.size.trailingZeroBitCount : 0
      let extend = [2: "uxtw", 3: "lsl", 6: "sxtw", 7: "sxtx"][option] ?? ""
      let shown = option == 3 && !bit(12) ? "" : ", " + extend + (bit(12) ? " #\(shift)" : "")
      let operand = MemoryOperand(
        base: base, index: bits(20, 16) == 31 ? nil : "x\(bits(20, 16))", scale: 1 << shift,
        indexBits: isLong ? 64 : 32, isIndexSigned: option >= 6)
      return Instruction(
        length: 4, text: "\(register.name) \(register.register), [\(base), \(index)\(shown)]",
        accesses: [MemoryAccess(register.kind, operand, size: register.size)])
    case 0 where !bit(26): return atomic
    case 1, 3:
      guard !bit(26), bits(31, 30) == 3 else { return nil }
      let offset = (Int64(bits(20, 12)) - (bit(22) ? 512 : 0)) * 8
      return access(
        bit(23) ? "ldrab" : "ldraa", [general(bits(4, 0), 8)], .read, size: 8, offset,
        mode: bit(11) ? .pre : .offset)
    default: return nil
    }
  }

  private var atomic: Instruction? {
    let size = 1 << bits(31, 30)
    let suffix = [1: "b", 2: "h"][size] ?? ""
    let target = general(bits(4, 0), size == 8 ? 8 : 4)
    let source = general(bits(20, 16), size == 8 ? 8 : 4)
    let order = (bit(23) ? "a" : "") + (bit(22) ? "l" : "")
    if bit(15) {
      switch bits(14, 12) {
      case 0:
        return access(
          "swp" + order + suffix, [source, target], .update, size: size, needsAlignment: true)
      case 4 where bits(20, 16) == 31:
        return access("ldapr" + suffix, [target], .read, size: size, needsAlignment: true)
      default: return nil
      }
    }
    let names = "add clr eor set smax smin umax umin".split(separator: " ")
    return access(
      "ld" + names[bits(14, 12)] + order + suffix, [source, target], .update, size: size,
      needsAlignment: true)
  }

  private var exclusive: Instruction? {
    let size = 1 << bits(31, 30)
    let suffix = [1: "b", 2: "h"][size] ?? ""
    let isLoad = bit(22)
    let width = size == 8 ? 8 : 4
    let (first, second) = (general(bits(4, 0), width), general(bits(14, 10), width))
    let status = general(bits(20, 16), 4)
    func access(_ name: String, _ registers: [String], _ kind: MemoryAccess.Kind, _ size: Int)
      -> Instruction
    {
      self.access(name, registers, kind, size: size, needsAlignment: true)
    }
    switch (bit(23), bit(21)) {
    case (false, false):
      return isLoad
        ? access((bit(15) ? "ldaxr" : "ldxr") + suffix, [first], .read, size)
        : access((bit(15) ? "stlxr" : "stxr") + suffix, [status, first], .write, size)
    case (false, true) where bit(31):
      return isLoad
        ? access(bit(15) ? "ldaxp" : "ldxp", [first, second], .read, size * 2)
        : access(bit(15) ? "stlxp" : "stxp", [status, first, second], .write, size * 2)
    case (false, true):
      let size = bit(30) ? 16 : 8
      let order = (isLoad ? "a" : "") + (bit(15) ? "l" : "")
      return access(
        "casp" + order, [general(bits(20, 16), size / 2), general(bits(4, 0), size / 2)], .update,
        size)
    case (true, false):
      return isLoad
        ? access((bit(15) ? "ldar" : "ldlar") + suffix, [first], .read, size)
        : access((bit(15) ? "stlr" : "stllr") + suffix, [first], .write, size)
    case (true, true):
      let order = (isLoad ? "a" : "") + (bit(15) ? "l" : "")
      return access("cas" + order + suffix, [general(bits(20, 16), width), first], .update, size)
    }
  }

  private var literal: Instruction? {
    let operation = bits(31, 30)
    let offset = signed(23, 5) * 4
    let target = address &+ UInt64(bitPattern: offset)
    let number = bits(4, 0)
    if !bit(26), operation == 3 { return Instruction(length: 4, text: "prfm") }
    guard operation < 3 else { return nil }
    let size = bit(26) ? 4 << operation : operation == 1 ? 8 : 4
    let name = bit(26) ? vector(number, size) : general(number, operation == 0 ? 4 : 8)
    let operand = MemoryOperand(base: "pc", displacement: offset, programCounter: address)
    return Instruction(
      length: 4,
      text: (!bit(26) && operation == 2 ? "ldrsw " : "ldr ") + name + ", 0x"
        + String(target, radix: 16),
      accesses: [MemoryAccess(.read, operand, size: size)])
  }

  /// Ordered accesses with an offset, and those of memory tags.
  private var releaseOrTag: Instruction? {
    guard !bit(21), bits(11, 10) == 0 else { return nil }
    let size = 1 << bits(31, 30)
    let suffix = [1: "b", 2: "h"][size] ?? ""
    let number = bits(4, 0)
    switch bits(23, 22) {
    case 0:
      return access(
        "stlur" + suffix, [general(number, size == 8 ? 8 : 4)], .write, size: size, signed(20, 12))
    case 1:
      return access(
        "ldapur" + suffix, [general(number, size == 8 ? 8 : 4)], .read, size: size, signed(20, 12))
    default:
      guard size < 8 else { return nil }
      return access(
        "ldapurs" + (size == 4 ? "w" : suffix), [general(number, bit(22) ? 4 : 8)], .read,
        size: size, signed(20, 12))
    }
  }

  private var pair: Instruction? {
    let operation = bits(31, 30)
    guard operation < 3 else { return nil }
    let isLoad = bit(22)
    let isVector = bit(26)
    let size = isVector ? 4 << operation : operation == 2 ? 8 : 4
    let isTagged = !isVector && operation == 1 && !isLoad
    let width = isVector ? size : operation == 0 ? 4 : 8
    let names = [bits(4, 0), bits(14, 10)].map {
      isVector ? vector($0, width) : general($0, width)
    }
    let modes: [Mode] = [.offset, .post, .offset, .pre]
    let base = isLoad ? "ld" : "st"
    let name =
      bits(24, 23) == 0
      ? base + "np"
      : isTagged ? "stgp" : base + "p" + (!isVector && operation == 1 ? "sw" : "")
    return access(
      name, names, isLoad ? .read : .write, size: isTagged ? 16 : size * 2,
      signed(21, 15) * Int64(isTagged ? 16 : size), mode: modes[bits(24, 23)])
  }

  /// Loads and stores of one to four vector registers, or of an element of each.
  private var structures: Instruction? {
    guard !bit(31) else { return nil }
    let isLoad = bit(22)
    let size: Int
    let count: Int
    if bit(24) {
      count = ((bits(13, 13) << 1) | bits(21, 21)) + 1
      let scale = bits(15, 14)
      size = scale == 3 ? 1 << bits(11, 10) : scale == 2 && bit(10) ? 8 : 1 << scale
    } else {
      let counts = [0: 4, 2: 4, 4: 3, 6: 3, 7: 1, 8: 2, 10: 2]
      guard !bit(21), let known = counts[bits(15, 12)] else { return nil }
      count = known
      size = bit(30) ? 16 : 8
    }
    if !bit(23), bits(20, 16) != 0 { return nil }
    let elements = bit(24) ? count : [0: 4, 4: 3, 8: 2][bits(15, 12)] ?? 1
    let isSpread = bit(24) && bits(15, 14) == 3
    let name = (isLoad ? "ld" : "st") + "\(elements)" + (isSpread ? "r" : "")
    let registers = (0..<count).map { "v\((bits(4, 0) + $0) & 31)" }.joined(separator: ", ")
    return Instruction(
      length: 4, text: "\(name) {\(registers)}, [\(base)]",
      accesses: [
        MemoryAccess(isLoad ? .read : .write, MemoryOperand(base: base), size: size * count)
      ])
  }
}
