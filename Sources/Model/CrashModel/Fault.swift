public import Identifiers

/// The analysis of a dump's registers and memory, which goes beyond the system's own reason.
public struct Fault: Hashable, Sendable {
  /// A class of crashes. A report of a later version may have other classes.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case nullPointer = "null-pointer"
    /// An address that no memory can have, by its upper bits.
    case nonCanonical = "non-canonical"
    case unmapped
    /// Memory that exists, but not for this use.
    case protected
    case guardPage = "guard-page"
    case stackOverflow = "stack-overflow"
    /// The stack pointer points outside any stack.
    case badStackPointer = "bad-stack-pointer"
    case executeData = "execute-data"
    case executeUnmapped = "execute-unmapped"
    case misaligned
    /// A page of a file that was truncated or cannot be read.
    case missingPage = "missing-page"
    /// An address made of the bytes that allocators write into freed memory.
    case freedMemory = "freed-memory"
    /// An address made of the bytes that mark memory never written.
    case uninitializedMemory = "uninitialized-memory"
    case heapCorruption = "heap-corruption"
    /// A canary on the stack was overwritten.
    case stackCorruption = "stack-corruption"
    case divisionByZero = "division-by-zero"
    case divisionOverflow = "division-overflow"
    /// An instruction whose purpose is to stop the program.
    case trap
    case illegalInstruction = "illegal-instruction"
    case privilegedInstruction = "privileged-instruction"
  }

  /// Memory that the instruction uses.
  public struct Access: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case read, write, update, execute
    }

    public var kind: Kind
    public var address: Address
    /// In bytes; `nil` where unknown.
    public var size: Int?
    /// `[rdi+0x10]`; `nil` where the instruction does not name it.
    public var operand: String?
    public var isGuardPage: Bool

    public init(
      _ kind: Kind, at address: Address, size: Int? = nil, operand: String? = nil,
      isGuardPage: Bool = false
    ) {
      self.kind = kind
      self.address = address
      self.size = size
      self.operand = operand
      self.isGuardPage = isGuardPage
    }
  }

  /// A valid address that differs from the one used in a single bit, as faulty memory causes.
  public struct BitFlip: Hashable, Sendable {
    public var address: Address
    /// The register that held the changed value; `nil` for the address itself.
    public var register: String?
    /// From 0 to 1.
    public var confidence: Double
    /// Whether the address used cannot be valid.
    public var wasNonCanonical: Bool
    public var isNull: Bool
    /// Whether the address used is a small number, as flags and counts are.
    public var wasLow: Bool
    /// Registers that hold an address near the valid one.
    public var nearbyRegisters: Int
    /// Whether some register holds the bytes that allocators write into freed memory.
    public var hasPoison: Bool

    public init(
      address: Address, register: String? = nil, confidence: Double, wasNonCanonical: Bool = false,
      isNull: Bool = false, wasLow: Bool = false, nearbyRegisters: Int = 0, hasPoison: Bool = false
    ) {
      self.address = address
      self.register = register
      self.confidence = confidence
      self.wasNonCanonical = wasNonCanonical
      self.isNull = isNull
      self.wasLow = wasLow
      self.nearbyRegisters = nearbyRegisters
      self.hasPoison = hasPoison
    }
  }

  /// One line: `Read of 8 bytes at 0x10: null pointer plus 0x10 (mov rax, [rdi+0x10]; rdi = 0x0)`.
  public var summary: String
  public var kind: Kind?
  /// The address that failed, which the system may have hidden.
  public var address: Address?
  /// The instruction that failed, in assembler syntax.
  public var instruction: String?
  /// In the order in which the instruction makes them.
  public var accesses: [Access]
  /// The most likely first.
  public var bitFlips: [BitFlip]

  public init(
    summary: String, kind: Kind? = nil, address: Address? = nil, instruction: String? = nil,
    accesses: [Access] = [], bitFlips: [BitFlip] = []
  ) {
    self.summary = summary
    self.kind = kind
    self.address = address
    self.instruction = instruction
    self.accesses = accesses
    self.bitFlips = bitFlips
  }
}
