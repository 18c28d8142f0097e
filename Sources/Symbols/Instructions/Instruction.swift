/// One instruction of a processor, as far as a crash is explained by it.
public struct Instruction: Hashable, Sendable {
  /// In bytes.
  public let length: Int
  /// As an assembler writes it: `mov rax, [rdi+0x10]`; `nil` for one whose name is not known here.
  public let text: String?
  /// What it does to memory, in the order in which it does it.
  public let accesses: [MemoryAccess]
  /// Where it leads, if not to the next one.
  public let flow: Flow?
  /// Whether it is there to stop the program.
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
      /// The address stands there.
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
    /// Both, as `add [rax], 1` does.
    case update
  }

  public let kind: Kind
  public let operand: MemoryOperand
  /// In bytes; `nil` where it depends on more than the instruction.
  public let size: Int?
  /// Whether the operand stands in the instruction; the stack of a `push` does not.
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
  /// `fs` or `gs`, whose start is added.
  public let segment: String?
  public let base: String?
  public let index: String?
  /// What the index is multiplied with.
  public let scale: Int
  /// How many low bits of the index count, and whether their sign does.
  public let indexBits: Int
  public let isIndexSigned: Bool
  public let displacement: Int64
  /// The bits of an address, 16, 32 or 64.
  public let bits: Int
  /// What a program counter as the base stands for: the instruction itself, or the next one.
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

  /// The address; `nil` where a register that it is formed of is not known.
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

  /// The general registers that the address is formed of.
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

  /// The first instruction of `bytes`; `nil` for bytes that no processor executes, and for cut ones.
  ///
  /// - Parameter address: Where they lie.
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
