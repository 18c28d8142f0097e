/// Decodes one instruction of x86, of at most 15 bytes.
///
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.
struct X86Decoder {
  private let bytes: [UInt8]
  private let address: UInt64
  let is64Bit: Bool
  private var offset = 0

  // Prefixes.
  private var segment: String?
  var hasOperandSize = false
  private var hasAddressSize = false
  private var hasLock = false
  /// 0xf3 or 0xf2, the last one.
  private var `repeat`: UInt8?
  private var rex: UInt8 = 0
  private var isVEX = false
  private var isEVEX = false
  private var hasBroadcast = false
  /// 16, 32 or 64.
  var vectorSize = 16
  private var source = 0
  private var mandatory: UInt8?

  // ModRM.
  private var mode: UInt8 = 0
  private var field = 0
  private var register = 0
  private var memory: MemoryOperand?
  private var displacementScale: Int64 = 1

  init(_ bytes: [UInt8], at address: UInt64, is64Bit: Bool) {
    self.bytes = bytes
    self.address = address
    self.is64Bit = is64Bit
  }

  private mutating func next() -> UInt8? {
    guard offset < bytes.count else { return nil }
    offset += 1
    return bytes[offset - 1]
  }

  private mutating func number(_ size: Int) -> Int64? {
    guard offset + size <= bytes.count else { return nil }
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    offset += size
    let unused = Int64(64 - 8 * size)
    return Int64(bitPattern: value << UInt64(unused)) >> unused
  }

  var isWide: Bool { rex & 8 != 0 }
  /// The size of an operand `v`.
  var operandSize: Int { isWide ? 8 : hasOperandSize ? 2 : 4 }
  private var stackSize: Int {
    hasOperandSize && !isWide ? 2 : is64Bit ? 8 : 4
  }

  mutating func decode() -> Instruction? {
    guard var opcode = readPrefixes() else { return nil }
    var map = 0
    if opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62, let following = peek,
      is64Bit || following >= 0xc0
    {
      guard let read = readVEX(opcode) else { return nil }
      (map, opcode) = read
    } else if opcode == 0x0f {
      guard let second = next() else { return nil }
      (map, opcode) = (1, second)
      if second == 0x38 || second == 0x3a {
        guard let third = next() else { return nil }
        (map, opcode) = (second == 0x38 ? 2 : 3, third)
      }
    }
    if !isVEX { mandatory = `repeat` ?? (hasOperandSize ? 0x66 : nil) }
    let modRM = peek
    let tuple =
      isEVEX
      ? EVEXTuple(
        map: map, opcode: opcode, prefix: mandatory, isWide: isWide, vectorSize: vectorSize) : nil
    let entry =
      map > 3 || tuple?.isOfOtherInstruction == true
      ? nil
      : OpcodeTable.shared.entry(
        map, opcode, prefix: mandatory, modRM: modRM, isVEX: isVEX, is64Bit: is64Bit)
    guard let entry else { return isVEX ? unknownVector(map, opcode, tuple) : nil }
    if map == 1, opcode == 0x1e, `repeat` == 0xf3, let modRM, modRM == 0xfa || modRM == 0xfb {
      offset += 1
      return Instruction(length: offset, text: modRM == 0xfa ? "endbr64" : "endbr32")
    }
    if isEVEX { displacementScale = compression(entry) }
    if entry.needsModRM || map == 1 && (0x20...0x23).contains(opcode) {
      guard readModRM() else { return nil }
    }
    return instruction(entry, opcode, map)
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  /// Reads the prefixes of the opcode.
  ///
  /// - Returns: The first byte of the opcode.
  private mutating func readPrefixes() -> UInt8? {
    while let byte = next() {
      switch byte {
      case 0x26, 0x2e, 0x36, 0x3e:
        if !is64Bit { segment = ["es", "cs", "ss", "ds"][Int(byte >> 3 & 3)] }
      case 0x64: segment = "fs"
      case 0x65: segment = "gs"
      case 0x66: hasOperandSize = true
      case 0x67: hasAddressSize = true
      case 0xf0: hasLock = true
      case 0xf2, 0xf3: `repeat` = byte
      case 0x40...0x4f where is64Bit:
        // It takes effect only right before the opcode.
        rex = byte
        if let following = peek, Self.isPrefix(following) { rex = 0 }
      default: return byte
      }
    }
    return nil
  }

  private static func isPrefix(_ byte: UInt8) -> Bool {
    [0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3].contains(byte)
      || byte & 0xf0 == 0x40
  }

  private mutating func readVEX(_ first: UInt8) -> (map: Int, opcode: UInt8)? {
    isVEX = true
    guard let second = next() else { return nil }
    rex = (second >> 7 ^ 1) << 2
    var map = 1
    var last = second
    if first != 0xc5 {
      guard let third = next() else { return nil }
      rex |= (second >> 6 & 1 ^ 1) << 1 | (second >> 5 & 1 ^ 1) | (third >> 7) << 3
      map = Int(second & (first == 0xc4 ? 31 : 7))
      last = third
    }
    source = Int(last >> 3 & 15 ^ 15)
    mandatory = [nil, 0x66, 0xf3, 0xf2][Int(last & 3)]
    if first == 0x62 {
      isEVEX = true
      guard let fourth = next() else { return nil }
      vectorSize = 16 << Int(min(fourth >> 5 & 3, 2))
      hasBroadcast = fourth & 16 != 0
      if fourth & 8 == 0 { source |= 16 }
    } else {
      vectorSize = last & 4 != 0 ? 32 : 16
    }
    guard let opcode = next() else { return nil }
    return (map, opcode)
  }

  // MARK: ModRM

  /// - Returns: Whether all of its bytes are present.
  private mutating func readModRM() -> Bool {
    guard let byte = next() else { return false }
    mode = byte >> 6
    field = Int(byte >> 3 & 7) | Int(rex & 4) << 1
    register = Int(byte & 7) | Int(rex & 1) << 3
    if mode == 3 { return true }
    let bits = is64Bit ? (hasAddressSize ? 32 : 64) : hasAddressSize ? 16 : 32
    return bits == 16 ? readMemory16(byte & 7) : readMemory(byte & 7, bits: bits)
  }

  private mutating func readMemory(_ code: UInt8, bits: Int) -> Bool {
    let names = bits == 64 ? Self.names64 : Self.names32
    var base: String? = names[register]
    var index: String?
    var scale = 1
    var isBare = code == 5 && mode == 0
    if code == 4 {
      guard let byte = next() else { return false }
      let number = Int(byte >> 3 & 7) | Int(rex & 2) << 2
      if number != 4 {
        index = names[number]
        scale = 1 << Int(byte >> 6)
      }
      base = names[Int(byte & 7) | Int(rex & 1) << 3]
      if byte & 7 == 5, mode == 0 {
        base = nil
        isBare = true
      }
    } else if isBare {
      base = is64Bit ? (bits == 64 ? "rip" : "eip") : nil
    }
    var displacement: Int64 = 0
    if mode == 1 {
      guard let value = number(1) else { return false }
      displacement = value * displacementScale
    } else if mode == 2 || isBare {
      guard let value = number(4) else { return false }
      displacement = value
    }
    memory = MemoryOperand(
      segment: effectiveSegment, base: base, index: index, scale: scale,
      displacement: displacement, bits: bits)
    return true
  }

  private mutating func readMemory16(_ code: UInt8) -> Bool {
    let pairs: [(String?, String?)] = [
      ("bx", "si"), ("bx", "di"), ("bp", "si"), ("bp", "di"), ("si", nil), ("di", nil),
      ("bp", nil), ("bx", nil),
    ]
    var (base, index) = pairs[Int(code)]
    var displacement: Int64 = 0
    if mode == 0, code == 6 { base = nil }
    if mode == 2 || mode == 0 && code == 6 {
      guard let value = number(2) else { return false }
      displacement = value
    } else if mode == 1 {
      guard let value = number(1) else { return false }
      displacement = value
    }
    if base == nil { index = nil }
    memory = MemoryOperand(
      segment: effectiveSegment, base: base, index: index, displacement: displacement, bits: 16)
    return true
  }

  /// The segments whose base programs can change.
  private var effectiveSegment: String? { segment == "fs" || segment == "gs" ? segment : nil }

  /// The unit of a one-byte displacement with EVEX.
  private func compression(_ entry: OpcodeTable.Entry) -> Int64 {
    if hasBroadcast { return isWide ? 8 : 4 }
    for operand in entry.operands where "EMWQ".utf8.contains(operand.kind) {
      return Int64(size(operand.size, isMemory: true) ?? (isWide ? 8 : 4))
    }
    return Int64(vectorSize)
  }

  // MARK: Operands

  /// The bytes of an operand; `nil` where the number is not fixed.
  private func size(_ code: String, isMemory: Bool) -> Int? {
    switch code {
    case "b": 1
    case "w": 2
    case "d", "ss": 4
    case "q", "sd": 8
    case "dq": 16
    case "v": operandSize
    case "z": min(operandSize, 4)
    case "y": isWide ? 8 : 4
    case "x": vectorSize
    case "hx": vectorSize / 2
    case "4x": vectorSize / 4
    case "8x": vectorSize / 8
    case "sdx": vectorSize == 16 ? 8 : vectorSize
    case "s": stackSize
    // In 64-bit mode Intel's processors ignore an operand-size prefix here.
    case "n": is64Bit ? 8 : operandSize
    case "vw": isMemory ? 2 : operandSize
    case "db": isMemory ? 1 : 4
    case "dw": isMemory ? 2 : 4
    case "e": isWide ? 8 : 4
    case "g": isWide ? 8 : 4
    case "y2": isWide ? 16 : 8
    case "z64": 64
    case "t": 10
    case "p": isWide ? 10 : hasOperandSize ? 4 : 6
    case "kw": isWide ? 8 : 2
    case "kb": isWide ? 4 : 1
    case "a": operandSize * 2
    default: nil
    }
  }

  static let names64 =
    "rax rcx rdx rbx rsp rbp rsi rdi".split(separator: " ").map(String.init)
    + (8...15).map { "r\($0)" }
  static let names32 =
    "eax ecx edx ebx esp ebp esi edi".split(separator: " ").map(String.init)
    + (8...15).map { "r\($0)d" }

  private func name(_ number: Int, _ size: Int) -> String {
    switch size {
    case 8: Self.names64[number & 15]
    case 4: Self.names32[number & 15]
    case 2: number < 8 ? String(Self.names32[number].dropFirst()) : "r\(number & 15)w"
    default:
      if number >= 8 {
        "r\(number & 15)b"
      } else if rex == 0, number >= 4 {
        ["ah", "ch", "dh", "bh"][number - 4]
      } else {
        ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"][number]
      }
    }
  }

  private func vectorName(_ number: Int, _ size: Int) -> String {
    (size > 32 ? "zmm" : size > 16 ? "ymm" : "xmm") + String(number)
  }

  /// The text of operands, and their accesses.
  private struct Written {
    var texts: [String] = []
    var accesses: [MemoryAccess] = []
    var target: Instruction.Flow.Target?
    var hasRegister = false
    /// The size of memory where it has to be written because no register implies it.
    var memory: Int?
  }

  private mutating func instruction(
    _ entry: OpcodeTable.Entry, _ opcode: UInt8, _ map: Int
  ) -> Instruction? {
    var written = Written()
    for (index, operand) in entry.operands.enumerated() {
      if isVEX, entry.hasFurtherDestination, index == 0 || entry.hasSecondSource && index == 1 {
        written.texts.append(
          operand.kind == UInt8(ascii: "E")
            ? name(source, isWide ? 8 : 4)
            : vectorName(source, vectorSize))
      }
      guard write(operand, opcode, into: &written) else { return nil }
      if isVEX, entry.hasSecondSource, index == 0 {
        written.texts.append(
          operand.kind == UInt8(ascii: "G")
            ? name(source, isWide ? 8 : 4)
            : vectorName(source, vectorSize))
      }
    }
    fixProgramCounter(&written)
    let implicit = implicitAccesses(entry, opcode)
    // A call reads its target before it writes its return address; `pop [rsp]` reads the stack first.
    let popsFirst = entry.effects.contains("pop")
    let accesses = popsFirst ? implicit + written.accesses : written.accesses + implicit
    return Instruction(
      length: offset, text: text(entry, opcode, written), accesses: accesses,
      flow: flow(entry, written, implicit), isTrap: entry.effects.contains("trap"),
      isPrivileged: entry.effects.contains("privileged"),
      needsAlignment: needsAlignment(entry))
  }

  /// SSE requires 16-byte alignment, except for unaligned moves; VEX only for aligned moves.
  private func needsAlignment(_ entry: OpcodeTable.Entry) -> Bool {
    guard memory != nil else { return false }
    if Self.alignedMoves.contains(entry.name) { return true }
    return !isVEX && !Self.unalignedNames.contains(entry.name)
      && entry.operands.contains { $0.kind == UInt8(ascii: "W") && $0.size == "x" }
  }

  private static let alignedMoves: Set<String> = [
    "movaps", "movapd", "movdqa", "movntps", "movntpd", "movntdq", "movntdqa",
  ]
  private static let unalignedNames: Set<String> = ["movups", "movupd", "movdqu", "lddqu"]

  /// Sets the value of the program counter as a base: the address after the instruction, known only at its
  /// end.
  private func fixProgramCounter(_ written: inout Written) {
    written.accesses = written.accesses.map { access in
      MemoryAccess(
        access.kind, anchored(access.operand), size: access.size, isExplicit: access.isExplicit)
    }
    if case .memory(let operand) = written.target { written.target = .memory(anchored(operand)) }
  }

  private func anchored(_ operand: MemoryOperand) -> MemoryOperand {
    guard operand.base == "rip" || operand.base == "eip" else { return operand }
    return MemoryOperand(
      segment: operand.segment, base: operand.base, displacement: operand.displacement,
      bits: operand.bits, programCounter: address &+ UInt64(offset))
  }

  /// - Returns: Whether its bytes are present.
  private mutating func write(
    _ operand: OpcodeTable.Operand, _ opcode: UInt8, into written: inout Written
  ) -> Bool {
    switch operand.kind {
    case UInt8(ascii: "E"), UInt8(ascii: "M"), UInt8(ascii: "W"), UInt8(ascii: "Q"),
      UInt8(ascii: "U"), UInt8(ascii: "N"):
      if let memory {
        let size = hasBroadcast ? (isWide ? 8 : 4) : self.size(operand.size, isMemory: true)
        written.memory = written.texts.count
        written.texts.append(memory.text)
        written.target = .memory(memory)
        add(operand.access, memory, size, to: &written)
        sizeOfMemory = size
      } else {
        let size = self.size(operand.size, isMemory: false) ?? 8
        switch operand.kind {
        case UInt8(ascii: "E"), UInt8(ascii: "M"):
          written.texts.append(name(register, size))
          written.target = .register(name(register, is64Bit ? 8 : 4))
        case UInt8(ascii: "Q"), UInt8(ascii: "N"): written.texts.append("mm\(register & 7)")
        default: written.texts.append(vectorName(register, max(size, min(vectorSize, 16))))
        }
        written.hasRegister = true
      }
    case UInt8(ascii: "G"):
      written.texts.append(name(field, self.size(operand.size, isMemory: false) ?? 8))
      written.hasRegister = true
    case UInt8(ascii: "V"):
      let size = self.size(operand.size, isMemory: false) ?? 16
      written.texts.append(vectorName(field, max(size, 16)))
      written.hasRegister = true
    case UInt8(ascii: "P"):
      written.texts.append("mm\(field & 7)")
      written.hasRegister = true
    case UInt8(ascii: "K"): written.texts.append("k\(field & 7)")
    case UInt8(ascii: "S"):
      let names = ["es", "cs", "ss", "ds", "fs", "gs"]
      guard names.indices.contains(field & 7) else { return false }
      written.texts.append(names[field & 7])
    case UInt8(ascii: "C"): written.texts.append("cr\(field)")
    case UInt8(ascii: "D"): written.texts.append("dr\(field)")
    case UInt8(ascii: "B"): written.texts.append(name(source, isWide ? 8 : 4))
    case UInt8(ascii: "Z"):
      let size = self.size(operand.size, isMemory: false) ?? 8
      written.texts.append(name(Int(opcode & 7) | Int(rex & 1) << 3, size))
      written.hasRegister = true
    case UInt8(ascii: "I"):
      let size = operand.size == "sb" ? 1 : self.size(operand.size, isMemory: false) ?? 1
      guard let value = number(size) else { return false }
      written.texts.append(Self.immediate(value, size: operand.size == "b" ? 1 : operandSize))
    case UInt8(ascii: "J"):
      let size = operand.size == "b" ? 1 : !is64Bit && hasOperandSize ? 2 : 4
      guard let value = number(size) else { return false }
      var target = address &+ UInt64(offset) &+ UInt64(bitPattern: value)
      if !is64Bit { target &= 0xffff_ffff }
      written.texts.append("0x" + String(target, radix: 16))
      written.target = .address(target)
    case UInt8(ascii: "A"):
      let size = hasOperandSize ? 2 : 4
      guard let target = number(size), let selector = number(2) else { return false }
      written.texts.append(
        Self.immediate(selector, size: 2) + ":" + Self.immediate(target, size: size))
    case UInt8(ascii: "O"):
      let size = is64Bit ? (hasAddressSize ? 4 : 8) : hasAddressSize ? 2 : 4
      guard let displacement = number(size) else { return false }
      let operandMemory = MemoryOperand(
        segment: effectiveSegment, base: nil, displacement: displacement, bits: size * 8)
      written.texts.append(operandMemory.text)
      written.hasRegister = true
      add(operand.access, operandMemory, self.size(operand.size, isMemory: true), to: &written)
    case UInt8(ascii: "X"), UInt8(ascii: "Y"):
      let isSource = operand.kind == UInt8(ascii: "X")
      let bits = is64Bit ? (hasAddressSize ? 32 : 64) : hasAddressSize ? 16 : 32
      let names = bits == 64 ? Self.names64 : Self.names32
      let stringOperand = MemoryOperand(
        segment: isSource ? effectiveSegment : nil, base: names[isSource ? 6 : 7], bits: bits)
      let size = self.size(operand.size, isMemory: true)
      written.texts.append(stringOperand.text)
      add(operand.access, stringOperand, size, to: &written)
      sizeOfMemory = size
    case 0:
      let size = operand.size
      written.texts.append(size == "rAX" ? name(0, operandSize) : size)
      written.hasRegister = size != "1"
    default: return false
    }
    return true
  }

  private var sizeOfMemory: Int?

  private func add(
    _ access: OpcodeTable.Operand.Access, _ operand: MemoryOperand, _ size: Int?,
    to written: inout Written
  ) {
    switch access {
    case .none: break
    case .read: written.accesses.append(MemoryAccess(.read, operand, size: size))
    case .write: written.accesses.append(MemoryAccess(.write, operand, size: size))
    case .update: written.accesses.append(MemoryAccess(.update, operand, size: size))
    }
  }

  /// A number as wide as its operand: `0xffffffff` for -1 of four bytes.
  private static func immediate(_ value: Int64, size: Int) -> String {
    if value < 0, size == 8 { return "-0x" + String(value.magnitude, radix: 16) }
    let bits = UInt64(bitPattern: value) & (size >= 8 ? .max : (1 << UInt64(8 * size)) - 1)
    return "0x" + String(bits, radix: 16)
  }

  // MARK: What operands do not say

  private func implicitAccesses(
    _ entry: OpcodeTable.Entry, _ opcode: UInt8
  ) -> [MemoryAccess] {
    let names = is64Bit ? Self.names64 : Self.names32
    let bits = is64Bit ? 64 : 32
    func at(
      _ register: Int, _ displacement: Int, _ kind: MemoryAccess.Kind, _ size: Int?,
      index: String? = nil
    ) -> MemoryAccess {
      MemoryAccess(
        kind,
        MemoryOperand(
          segment: register == 4 || register == 5 ? nil : effectiveSegment, base: names[register],
          index: index, indexBits: index == nil ? 64 : 8, displacement: Int64(displacement),
          bits: bits),
        size: size, isExplicit: false)
    }
    let word = is64Bit ? 8 : 4
    for effect in entry.effects {
      switch effect {
      case "push": return [at(4, -stackSize, .write, stackSize)]
      case "pop": return [at(4, 0, .read, stackSize)]
      case "call": return [at(4, -word, .write, word)]
      case "ret": return [at(4, 0, .read, word)]
      case "leave": return [at(5, 0, .read, word)]
      case "enter": return [at(4, -word, .write, word)]
      case "pusha": return [at(4, -8 * stackSize, .write, 8 * stackSize)]
      case "popa": return [at(4, 0, .read, 8 * stackSize)]
      case "xlat": return [at(3, 0, .read, 1, index: is64Bit ? "rax" : "eax")]
      case "maskmov": return [at(7, 0, .write, entry.operands.first?.kind == 0x50 ? 8 : 16)]
      default: break
      }
    }
    return []
  }

  private func flow(
    _ entry: OpcodeTable.Entry, _ written: Written, _ implicit: [MemoryAccess]
  ) -> Instruction.Flow? {
    if entry.effects.contains("jump") {
      return .init(kind: .jump, target: written.target)
    } else if entry.effects.contains("call") {
      return .init(kind: .call, target: written.target)
    } else if entry.effects.contains("ret") {
      return .init(kind: .return, target: implicit.first.map { .memory($0.operand) })
    }
    return nil
  }

  private func text(
    _ entry: OpcodeTable.Entry, _ opcode: UInt8, _ written: Written
  ) -> String {
    var name = entry.name
    name.replace("$", with: isWide ? "q" : "d")
    name.replace("#", with: isWide ? "d" : "s")
    if name == "cwde" { name = ["cbw", "cwde", "cdqe"][operandSize == 2 ? 0 : operandSize / 4] }
    if name == "cdq" { name = ["cwd", "cdq", "cqo"][operandSize == 2 ? 0 : operandSize / 4] }
    if isVEX,
      entry.operands.contains(where: { "VWPKU".utf8.contains($0.kind) }) || name == "zeroupper"
    {
      if name != "kmov" { name = "v" + name }
    }
    var texts = written.texts
    let isString = entry.operands.contains { $0.kind == 0x58 || $0.kind == 0x59 }
    if isString {
      name += ["b", "w", "", "d", "", "", "", "q"][max(min((sizeOfMemory ?? 1) - 1, 7), 0)]
    } else if let index = written.memory, !written.hasRegister, let size = sizeOfMemory,
      let word = [1: "byte ", 2: "word ", 4: "dword ", 8: "qword ", 10: "tbyte ", 16: "oword "][
        size]
    {
      texts[index] = word + texts[index]
    }
    if hasLock { name = "lock " + name }
    if isString, let prefix = `repeat` {
      let compares = entry.name == "cmps" || entry.name == "scas"
      name = (prefix == 0xf2 ? "repne " : compares ? "repe " : "rep ") + name
    }
    return texts.isEmpty ? name : name + " " + texts.joined(separator: ", ")
  }

  // MARK: Vectors

  /// Decodes an instruction of VEX or EVEX that is missing in the table: its length, and a read of its memory
  /// unless it is one of those that store.
  private mutating func unknownVector(
    _ map: Int, _ opcode: UInt8, _ tuple: EVEXTuple?
  ) -> Instruction? {
    guard (1...6).contains(map) else { return nil }
    let vector =
      tuple
      ?? EVEXTuple(
        map: map, opcode: opcode, prefix: mandatory, isWide: isWide, vectorSize: vectorSize)
    if let tuple {
      displacementScale = Int64(hasBroadcast ? tuple.broadcastSize : tuple.size)
    }
    guard readModRM() else { return nil }
    let hasImmediate =
      map == 3
      || map == 1 && ((0x70...0x73).contains(opcode) || [0xc2, 0xc4, 0xc5, 0xc6].contains(opcode))
    if hasImmediate, next() == nil { return nil }
    let accesses = memory.map {
      [MemoryAccess(vector.isStore ? .write : .read, anchored($0), size: nil)]
    }
    return Instruction(length: offset, text: nil, accesses: accesses ?? [])
  }
}
