internal import Bytes
internal import CrashModel
internal import DWARF
internal import UnwindRules

/// Computes the expressions of unwind rules.
///
/// Source: DWARF 5, section 2.5.1.
struct ExpressionMachine {
  let memory: ProcessMemory
  let registers: WalkedRegisters
  /// The distance from linked to actual addresses.
  let slide: UInt64
  /// Bytes of arguments that the callee pops off the stack.
  let calleeParameterBytes: UInt64

  /// The value on top at the end; `nil` where a register or memory is unknown, or the expression is
  /// damaged.
  ///
  /// - Parameter start: The initial contents of the stack.
  func value(
    of expression: UnwindExpression, in rules: UnwindRules, startingWith start: UInt64?
  ) -> UInt64? {
    let bytes = rules.bytes(of: expression)
    var reader = ByteReader(bytes, reading: "unwind expression")
    var stack: [UInt64] = start.map { [$0] } ?? []
    let mask: UInt64 = rules.addressSize == 4 ? 0xffff_ffff : .max
    var steps = 0
    while let code = try? reader.read(UInt8.self) {
      steps += 1
      guard steps <= WalkLimits.expressionSteps, stack.count <= WalkLimits.expressionDepth,
        (try? step(ExpressionOperation(rawValue: code), &reader, &stack, start, rules)) == true
      else { return nil }
      if let top = stack.last { stack[stack.count - 1] = top & mask }
    }
    return stack.last
  }

  /// - Returns: Whether the operation succeeded.
  @_lifetime(reader: copy reader)
  private func step(
    _ operation: ExpressionOperation, _ reader: inout ByteReader, _ stack: inout [UInt64],
    _ frameAddress: UInt64?, _ rules: UnwindRules
  ) throws(ParseError) -> Bool {
    func signed(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) }
    switch operation {
    case .nothing: return true
    case .address: stack.append(try reader.readUnsigned(size: rules.addressSize) &+ slide)
    case .constant1u: stack.append(UInt64(try reader.read(UInt8.self)))
    case .constant1s: stack.append(signed(Int64(try reader.read(Int8.self))))
    case .constant2u: stack.append(UInt64(try reader.read(UInt16.self)))
    case .constant2s: stack.append(signed(Int64(try reader.read(Int16.self))))
    case .constant4u: stack.append(UInt64(try reader.read(UInt32.self)))
    case .constant4s: stack.append(signed(Int64(try reader.read(Int32.self))))
    case .constant8u: stack.append(try reader.read(UInt64.self))
    case .constant8s: stack.append(signed(try reader.read(Int64.self)))
    case .constantU: stack.append(try reader.readULEB128())
    case .constantS: stack.append(signed(try reader.readSLEB128()))
    case .calleeParameterBytes: stack.append(calleeParameterBytes)
    case .frameAddress:
      guard let frameAddress else { return false }
      stack.append(frameAddress)
    case .baseRegister:
      let number = try reader.readULEB128()
      return push(Int(clamping: number), plus: try reader.readSLEB128(), &stack)
    case _ where operation.isBaseRegister:
      let number = operation.rawValue - ExpressionOperation.baseRegister0.rawValue
      return push(Int(number), plus: try reader.readSLEB128(), &stack)
    case _ where operation.isLiteral:
      stack.append(UInt64(operation.rawValue - ExpressionOperation.literal0.rawValue))
    case .pick: return pick(Int(try reader.read(UInt8.self)), &stack)
    case .duplicate: return pick(0, &stack)
    case .over: return pick(1, &stack)
    case .branch:
      let distance = Int(try reader.read(Int16.self))
      guard let condition = stack.popLast() else { return false }
      if condition != 0 { try reader.seek(to: max(0, reader.position + distance)) }
    case .skip:
      let distance = Int(try reader.read(Int16.self))
      try reader.seek(to: max(0, reader.position + distance))
    case .dereference, .dereferenceSize:
      let size =
        operation == .dereference ? rules.addressSize : Int(try reader.read(UInt8.self))
      guard let address = stack.popLast(), [1, 2, 4, 8].contains(size),
        let value = memory.number(at: address, size: size)
      else { return false }
      stack.append(value)
    case .plusConstant:
      let number = try reader.readULEB128()
      guard let top = stack.popLast() else { return false }
      stack.append(top &+ number)
    case .drop: return stack.popLast() != nil
    case .swap:
      guard stack.count >= 2 else { return false }
      stack.swapAt(stack.count - 1, stack.count - 2)
    case .rotate:
      guard stack.count >= 3, let top = stack.popLast() else { return false }
      stack.insert(top, at: stack.count - 2)
    case .negate, .not, .absolute:
      guard let top = stack.popLast() else { return false }
      let number = Self.signed(top, rules.addressSize)
      stack.append(
        operation == .not
          ? ~top : operation == .negate ? 0 &- top : UInt64(number.magnitude))
    default:
      guard let right = stack.popLast(), let left = stack.popLast(),
        let value = Self.combine(operation, left, right, rules.addressSize)
      else { return false }
      stack.append(value)
    }
    return true
  }

  private func push(_ number: Int, plus offset: Int64, _ stack: inout [UInt64]) -> Bool {
    guard let value = registers[number] else { return false }
    stack.append(value &+ UInt64(bitPattern: offset))
    return true
  }

  private func pick(_ depth: Int, _ stack: inout [UInt64]) -> Bool {
    guard depth < stack.count else { return false }
    stack.append(stack[stack.count - 1 - depth])
    return true
  }

  /// A number of the program's size with its sign.
  private static func signed(_ value: UInt64, _ size: Int) -> Int64 {
    size == 4
      ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }

  /// - Returns: `nil` for a division by zero, or an unknown operation.
  private static func combine(
    _ operation: ExpressionOperation, _ left: UInt64, _ right: UInt64, _ size: Int
  ) -> UInt64? {
    let one = signed(left, size)
    let other = signed(right, size)
    switch operation {
    case .plus: return left &+ right
    case .minus: return left &- right
    case .multiply: return left &* right
    case .and: return left & right
    case .or: return left | right
    case .exclusiveOr: return left ^ right
    case .divide:
      guard other != 0 else { return nil }
      return UInt64(bitPattern: one.dividedReportingOverflow(by: other).partialValue)
    case .modulo, .moduloUnsigned: return right == 0 ? nil : left % right
    case .divideUnsigned: return right == 0 ? nil : left / right
    case .shiftLeft: return left << right
    case .shiftRight: return left >> right
    case .shiftRightArithmetic: return UInt64(bitPattern: one >> right)
    case .equal: return one == other ? 1 : 0
    case .notEqual: return one != other ? 1 : 0
    case .less: return one < other ? 1 : 0
    case .lessOrEqual: return one <= other ? 1 : 0
    case .greater: return one > other ? 1 : 0
    case .greaterOrEqual: return one >= other ? 1 : 0
    default: return nil
    }
  }
}
