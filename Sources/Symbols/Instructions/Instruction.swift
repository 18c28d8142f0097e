/// One instruction of a processor, as far as it helps to explain a crash.
public struct Instruction: Hashable, Sendable {
  /// In bytes.
  public let length: Int
  /// The instruction in assembler syntax: `mov rax, [rdi+0x10]`; `nil` for one whose name is not known here.
  public let text: String?
  /// Its memory accesses, in the order in which it makes them.
  public let accesses: [MemoryAccess]
  /// The target, if it is not the next instruction.
  public let flow: Flow?
  /// Whether its purpose is to stop the program.
  public let isTrap: Bool
  /// Whether only the system may use it.
  public let isPrivileged: Bool
  /// Whether the addresses of its accesses must be multiples of their size.
  public let needsAlignment: Bool

  /// A jump, a call or a return.
  public struct Flow: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
      case jump, call, `return`
    }

    public enum Target: Hashable, Sendable {
      case address(UInt64)
      case register(String)
      /// The address stored in memory.
      case memory(MemoryOperand)
    }

    public let kind: Kind
    public let target: Target?
  }

  init(
    length: Int, text: String?, accesses: [MemoryAccess] = [], flow: Flow? = nil,
    isTrap: Bool = false, isPrivileged: Bool = false, needsAlignment: Bool = false
  ) {
    self.length = length
    self.text = text
    self.accesses = accesses
    self.flow = flow
    self.isTrap = isTrap
    self.isPrivileged = isPrivileged
    self.needsAlignment = needsAlignment
  }
}

/// Memory that an instruction reads or writes.
public struct MemoryAccess: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case read, write
    /// A read and a write, as in `add [rax], 1`.
    case update
  }

  public let kind: Kind
  public let operand: MemoryOperand
  /// In bytes; `nil` where it depends on more than the instruction.
  public let size: Int?
  /// Whether the operand is written in the instruction; the stack of a `push` is not.
  public let isExplicit: Bool

  init(_ kind: Kind, _ operand: MemoryOperand, size: Int?, isExplicit: Bool = true) {
    self.kind = kind
    self.operand = operand
    self.size = size
    self.isExplicit = isExplicit
  }
}

/// How an instruction forms an address.
public struct MemoryOperand: Hashable, Sendable {
  /// The segment register, `fs` or `gs`, whose base is added.
  public let segment: String?
  public let base: String?
  public let index: String?
  /// The factor of the index.
  public let scale: Int
  /// How many low bits of the index are used, and whether they are sign-extended.
  public let indexBits: Int
  public let isIndexSigned: Bool
  public let displacement: Int64
  /// The bits of an address, 16, 32 or 64.
  public let bits: Int
  /// The value of a program counter as the base: the address of the instruction itself, or of the next one.
  public let programCounter: UInt64

  init(
    segment: String? = nil, base: String?, index: String? = nil, scale: Int = 1,
    indexBits: Int = 64, isIndexSigned: Bool = false, displacement: Int64 = 0, bits: Int = 64,
    programCounter: UInt64 = 0
  ) {
    self.segment = segment
    self.base = base
    self.index = index
    self.scale = scale
    self.indexBits = indexBits
    self.isIndexSigned = isIndexSigned
    self.displacement = displacement
    self.bits = bits
    self.programCounter = programCounter
  }

  /// The address; `nil` where a register that it depends on is unknown.
  public func address(_ register: (String) -> UInt64?) -> UInt64? {
    var address = UInt64(bitPattern: displacement)
    if let base {
      if base == "rip" || base == "eip" || base == "pc" {
        address &+= programCounter
      } else {
        guard let value = register(base) else { return nil }
        address &+= value
      }
    }
    if let index {
      guard var value = register(index) else { return nil }
      if indexBits < 64 {
        let unused = UInt64(64 - indexBits)
        value <<= unused
        value =
          isIndexSigned
          ? UInt64(bitPattern: Int64(bitPattern: value) >> Int64(unused)) : value >> unused
      }
      address &+= value &* UInt64(scale)
    }
    if bits < 64 { address &= (1 << UInt64(bits)) - 1 }
    if let segment {
      guard let start = register(segment + "_base") else { return nil }
      address &+= start
    }
    return address
  }

  /// The general registers that the address depends on.
  public var registers: [String] {
    [base, index].compactMap(\.self).filter { !["rip", "eip", "pc"].contains($0) }
  }

  /// `[rax+rcx*8+0x10]`.
  public var text: String {
    var terms = [base].compactMap(\.self)
    if let index {
      terms.append(scale == 1 ? index : "\(index)*\(scale)")
    }
    var text = terms.joined(separator: "+")
    if displacement != 0 || text.isEmpty {
      let isNegative = displacement < 0 && !text.isEmpty
      if isNegative { text += "-" } else if !text.isEmpty { text += "+" }
      var value = isNegative ? displacement.magnitude : UInt64(bitPattern: displacement)
      if bits < 64 { value &= (1 << UInt64(bits)) - 1 }
      text += "0x" + String(value, radix: 16)
    }
    return "[" + (segment.map { $0 + ":" } ?? "") + text + "]"
  }
}

/// The instruction at an address.
public enum InstructionSet: Sendable {
  case x86_64, x86, arm64

  /// The most bytes of an instruction.
  public var longest: Int { self == .arm64 ? 4 : 15 }

  /// The first instruction of `bytes`; `nil` for bytes that no processor executes, and for truncated ones.
  ///
  /// - Parameter address: The address of the bytes.
  public func decode(_ bytes: some Sequence<UInt8>, at address: UInt64) -> Instruction? {
    let bytes = Array(bytes.prefix(longest))
    switch self {
    case .x86_64, .x86:
      var decoder = X86Decoder(bytes, at: address, is64Bit: self == .x86_64)
      return decoder.decode()
    case .arm64:
      guard bytes.count == 4 else { return nil }
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << UInt32(8 * $1) }
      return ARM64Decoder(word, at: address).instruction
    }
  }
}
