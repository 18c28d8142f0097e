internal import DWARF

/// The value of an expression of Breakpad's, with constants moved outwards, so that what is the
/// same looks the same: a base plus a number.
struct UnwindTerm: Hashable, Sendable {
  /// The base that the number is added to.
  indirect enum Base: Hashable, Sendable {
    case zero
    /// A register of the callee.
    case register(UInt16)
    case frameAddress
    case calleeParameterBytes
    /// The memory at an address.
    case memory(UnwindTerm)
    case operation(ExpressionOperation, UnwindTerm, UnwindTerm)
  }

  let base: Base
  let offset: Int64
  /// How many bases it is made of: terms that are used twice count twice.
  let size: Int

  /// More is refused: a program may double a term with each operation.
  static let largest = 128

  private init(base: Base, offset: Int64, size: Int) {
    self.base = base
    self.offset = offset
    self.size = size
  }

  init(_ number: Int64) { self.init(base: .zero, offset: number, size: 1) }
  init(register: UInt16) { self.init(base: .register(register), offset: 0, size: 1) }
  static let frameAddress = UnwindTerm(base: .frameAddress, offset: 0, size: 1)
  static let calleeParameterBytes = UnwindTerm(
    base: .calleeParameterBytes, offset: 0, size: 1)

  /// Whether it is a number alone.
  var isNumber: Bool { base == .zero }

  /// The memory at `address`; `nil` for a term that is too large.
  static func memory(_ address: UnwindTerm) -> UnwindTerm? {
    guard address.size < largest else { return nil }
    return UnwindTerm(base: .memory(address), offset: 0, size: address.size + 1)
  }

  /// `nil` for a term that is too large, and for a division by zero.
  static func combine(
    _ operation: ExpressionOperation, _ left: UnwindTerm, _ right: UnwindTerm
  ) -> UnwindTerm? {
    if operation == .plus && right.isNumber { return left.adding(right.offset) }
    if operation == .plus && left.isNumber { return right.adding(left.offset) }
    if operation == .minus && right.isNumber { return left.adding(0 &- right.offset) }
    if operation == .divideUnsigned || operation == .moduloUnsigned, right == UnwindTerm(0) {
      return nil
    }
    let size = left.size + right.size + 1
    guard size <= largest else { return nil }
    // The numbers of a sum go to its end.
    if operation == .plus {
      let sum = UnwindTerm(
        base: .operation(.plus, left.adding(0 &- left.offset), right.adding(0 &- right.offset)),
        offset: left.offset &+ right.offset, size: size)
      return sum
    }
    return UnwindTerm(base: .operation(operation, left, right), offset: 0, size: size)
  }

  func adding(_ number: Int64) -> UnwindTerm {
    UnwindTerm(base: base, offset: offset &+ number, size: size)
  }

  // MARK: Operations

  /// The operations that compute it, see ``ExpressionOperation``.
  var operations: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// Recurses as deep as the term is large.
  private func write(to bytes: inout [UInt8]) {
    switch base {
    case .zero:
      bytes.append(ExpressionOperation.constantS.rawValue)
      bytes.append(signedLEB: offset)
      return
    case .register(let register):
      if register < 32 {
        bytes.append(ExpressionOperation.baseRegister0.rawValue + UInt8(register))
      } else {
        bytes.append(ExpressionOperation.baseRegister.rawValue)
        bytes.append(unsignedLEB: UInt64(register))
      }
      bytes.append(signedLEB: offset)
      return
    case .frameAddress: bytes.append(ExpressionOperation.frameAddress.rawValue)
    case .calleeParameterBytes: bytes.append(ExpressionOperation.calleeParameterBytes.rawValue)
    case .memory(let address):
      address.write(to: &bytes)
      bytes.append(ExpressionOperation.dereference.rawValue)
    case .operation(let operation, let left, let right):
      left.write(to: &bytes)
      right.write(to: &bytes)
      bytes.append(operation.rawValue)
    }
    if offset > 0 {
      bytes.append(ExpressionOperation.plusConstant.rawValue)
      bytes.append(unsignedLEB: UInt64(offset))
    } else if offset < 0 {
      bytes.append(ExpressionOperation.constantS.rawValue)
      bytes.append(signedLEB: offset)
      bytes.append(ExpressionOperation.plus.rawValue)
    }
  }
}

extension [UInt8] {
  /// Source: DWARF 5, section 7.6.
  mutating func append(unsignedLEB value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  /// Source: DWARF 5, section 7.6.
  mutating func append(signedLEB value: Int64) {
    var value = value
    while value < -0x40 || value >= 0x40 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value) & 0x7f)
  }
}
