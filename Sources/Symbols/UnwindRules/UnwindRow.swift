internal import Bytes

/// How the registers of the caller are found while a program is at some address: the canonical
/// frame address (CFA) and a rule for each register that the callee may have changed.
///
/// Source: DWARF 5, section 6.4.1.
public struct UnwindRow: BitwiseCopyable, Sendable {
  /// How the CFA is computed.
  public enum CFA: BitwiseCopyable, Hashable, Sendable {
    /// Nothing is known: the stack cannot be walked past here.
    case unknown
    /// The value of a register of the callee, plus `offset`.
    case register(UInt16, offset: Int32)
    /// The value of an expression that begins with nothing on its stack.
    case expression(UnwindExpression)
  }

  /// How one register of the caller is found.
  public enum Rule: BitwiseCopyable, Hashable, Sendable {
    /// It cannot be found.
    case undefined
    /// The callee did not change it.
    case sameValue
    /// Saved in memory at the CFA plus this many bytes.
    case offset(Int32)
    /// The CFA plus this many bytes.
    case valueOffset(Int32)
    /// In another register of the callee.
    case register(UInt16)
    /// Saved in memory at the value of an expression, which begins with the CFA on its stack.
    case expression(UnwindExpression)
    /// The value of an expression, which begins with the CFA on its stack.
    case valueExpression(UnwindExpression)
  }

  /// Further facts about an address.
  public struct Flags: OptionSet, BitwiseCopyable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The frame of a signal handler or an interrupt: the caller's address is where it was
    /// interrupted, not a return address.
    public static let signalFrame = Flags(rawValue: 1)
    /// The return address is signed (arm64 pointer authentication).
    public static let signedReturnAddress = Flags(rawValue: 2)
    /// The rules are valid at calls; in the first and last instructions of the function they may
    /// not be.
    public static let atCallsOnly = Flags(rawValue: 4)
    /// The return address was searched for by the writer of the rules, so the words above may have
    /// to be searched as well.
    public static let searchedReturnAddress = Flags(rawValue: 8)
    /// Whether the register rules are followed by a word with the bytes of the parameters.
    static let hasParameterBytes = Flags(rawValue: 16)
  }

  public let cfa: CFA
  public let flags: Flags
  /// The register whose rule gives the caller's address; without a rule the address is in that
  /// register.
  public let returnAddressRegister: UInt16
  /// The number of register rules; see ``UnwindRules/rule(_:of:)``.
  public let ruleCount: Int
  /// The offset of the rules in the file, in bytes.
  let rulesOffset: Int

  /// - Parameter offset: The offset of the record in the file, in bytes.
  @inline(__always)
  init(reading bytes: RawSpan, at offset: Int) {
    let head = bytes.word64(at: offset)
    let value = Int32(truncatingIfNeeded: head &>> 32)
    switch head & 3 {
    case UnwindFormat.CFA.register:
      cfa = .register(UInt16(truncatingIfNeeded: head &>> 16 & 0xff), offset: value)
    case UnwindFormat.CFA.expression:
      cfa = .expression(UnwindExpression(offset: UInt32(bitPattern: value)))
    default: cfa = .unknown
    }
    flags = Flags(rawValue: UInt8(truncatingIfNeeded: head &>> 2 & 0x3f))
    let words = Int(truncatingIfNeeded: head &>> 8 & 0xff)
    ruleCount = flags.contains(.hasParameterBytes) ? max(words &- 1, 0) : words
    returnAddressRegister = UInt16(truncatingIfNeeded: head &>> 24 & 0xff)
    rulesOffset = offset &+ 8
  }
}

extension UnwindRow {
  /// The number of words of the record after the first.
  @inline(__always) var wordCount: Int {
    flags.contains(.hasParameterBytes) ? ruleCount &+ 1 : ruleCount
  }
}

/// An expression of a file of unwind rules; ``UnwindRules/bytes(of:)`` gives its operations.
public struct UnwindExpression: BitwiseCopyable, Hashable, Sendable {
  /// In bytes from the start of the expressions.
  let offset: UInt32
}
