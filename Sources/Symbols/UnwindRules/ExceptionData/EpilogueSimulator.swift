internal import Bytes

/// A frame that is taken down step by step, as an unwinder does: where the stack pointer would be,
/// in terms of the registers at the beginning, and from where registers were restored.
struct EpilogueSimulator {
  /// A register at the beginning, plus an offset.
  struct RegisterOffset: Hashable {
    var register: UInt8
    var offset: Int64
  }

  private(set) var stack: RegisterOffset
  private var restored: [(register: UInt16, origin: RegisterOffset)] = []
  /// The register whose rule gives the return address.
  var returnAddressRegister: UInt8
  var flags: UnwindRow.Flags = []

  init(stackPointer: UInt8, returnAddressRegister: UInt8) {
    stack = RegisterOffset(register: stackPointer, offset: 0)
    self.returnAddressRegister = returnAddressRegister
  }

  /// The stack pointer moves up.
  mutating func free(_ count: Int64) { stack.offset &+= count }

  /// The stack pointer becomes a register plus an offset. The register must not have been restored.
  mutating func setStack(to register: UInt8, plus offset: Int64) {
    stack = RegisterOffset(register: register, offset: offset)
  }

  /// `register` is restored from this many bytes above the stack pointer.
  mutating func restore(_ register: UInt16, at offset: Int64) {
    restore(
      register, from: RegisterOffset(register: stack.register, offset: stack.offset &+ offset))
  }

  mutating func restore(_ register: UInt16, from origin: RegisterOffset) {
    restored.removeAll { $0.register == register }
    restored.append((register, origin))
  }

  /// Whether `register` was restored already, so that its value is not that of the beginning.
  func hasRestored(_ register: UInt16) -> Bool {
    restored.contains { $0.register == register }
  }

  /// Makes what was undone the rules of `builder`; the CFA is where the stack pointer ends up.
  func setRules(in builder: inout UnwindBuilder) throws(ParseError) {
    typealias RuleKind = UnwindFormat.RuleKind
    guard let offset = Int32(exactly: stack.offset) else {
      throw ParseError(.invalid("a frame of \(stack.offset) bytes"), in: "unwind info", at: 0)
    }
    builder.rules.clear()
    builder.rules.setCFA(register: stack.register, offset: offset)
    builder.rules.setReturnAddressRegister(returnAddressRegister)
    builder.rules.flags = flags
    for (register, origin) in restored {
      let isSet: Bool
      if origin.register == stack.register,
        let offset = Int32(exactly: origin.offset &- stack.offset)
      {
        isSet = builder.rules.set(register, RuleKind.offset, offset)
      } else {
        let term = UnwindTerm(register: UInt16(origin.register)).adding(origin.offset)
        let expression = builder.expressions.offset(of: term.operations)
        isSet = builder.rules.set(register, RuleKind.expression, Int32(bitPattern: expression))
      }
      guard isSet else {
        throw ParseError(
          .limit(name: "registers in a row", value: UnwindLimits.registers), in: "unwind info",
          at: 0)
      }
    }
  }
}
