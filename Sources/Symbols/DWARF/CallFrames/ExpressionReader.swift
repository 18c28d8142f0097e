internal import Bytes

/// Checks an expression and converts the operands of fixed size to little-endian.
///
/// Source: DWARF 5, sections 2.5, 6.4.2 (operations not allowed in call frame information) and 7.7.1.
struct ExpressionReader {
  private let addressSize: Int
  private let endianness: Endianness
  private var output: [UInt8] = []
  private var depth: Int
  /// The depth of the stack at each offset that a branch leads to.
  private var targets: [Int: Int] = [:]
  /// Whether an unconditional branch precedes the next operation.
  private var isUnreachable = false

  /// - Parameter depth: How many values are on the stack at the beginning.
  init(addressSize: Int, endianness: Endianness, depth: Int) {
    self.addressSize = addressSize
    self.endianness = endianness
    self.depth = depth
  }

  /// The operations in `bytes`, with operands of fixed size in little-endian.
  ///
  /// - Parameter base: The offset of the bytes in their section, for errors.
  /// - Throws: ``ParseError`` for an expression that is damaged or too long, uses operations that unwinding
  ///   does not support, or might not end.
  mutating func read(_ bytes: RawSpan, base: Int) throws(ParseError) -> [UInt8] {
    guard bytes.byteCount <= CallFrameLimits.expressionBytes else {
      throw ParseError(
        .limit(name: "bytes in an expression", value: CallFrameLimits.expressionBytes),
        in: "unwind expression", at: base)
    }
    var reader = ByteReader(
      bytes, reading: "unwind expression", endianness: endianness, base: base)
    output.reserveCapacity(bytes.byteCount)
    while !reader.isAtEnd {
      try arrive(at: reader.position, reader)
      try readOperation(&reader)
      guard depth <= CallFrameLimits.expressionDepth else {
        throw reader.error(
          .limit(name: "values on the stack", value: CallFrameLimits.expressionDepth))
      }
    }
    try arrive(at: reader.position, reader)
    guard targets.isEmpty else { throw reader.error(.invalid("a branch into an operation")) }
    guard depth >= 1, !isUnreachable else { throw reader.error(.invalid("no value is left")) }
    return output
  }

  /// Checks the stack depth against that of the branches that lead here.
  private mutating func arrive(at offset: Int, _ reader: borrowing ByteReader) throws(ParseError) {
    guard let known = targets.removeValue(forKey: offset) else {
      guard !isUnreachable else { throw reader.error(.invalid("code that is never reached")) }
      return
    }
    guard isUnreachable || known == depth else {
      throw reader.error(.invalid("branches with different stacks"))
    }
    depth = known
    isUnreachable = false
  }

  @_lifetime(reader: copy reader)
  private mutating func readOperation(_ reader: inout ByteReader) throws(ParseError) {
    let operation = ExpressionOperation(rawValue: try reader.read())
    output.append(operation.rawValue)
    switch operation {
    case .address:
      try copy(addressSize, &reader)
      try change(0, 1, reader)
    case .dereference, .absolute, .negate, .not: try change(1, 1, reader)
    case .constant1u, .constant1s:
      try copy(1, &reader)
      try change(0, 1, reader)
    case .constant2u, .constant2s:
      try copy(2, &reader)
      try change(0, 1, reader)
    case .constant4u, .constant4s:
      try copy(4, &reader)
      try change(0, 1, reader)
    case .constant8u, .constant8s:
      try copy(8, &reader)
      try change(0, 1, reader)
    case .constantU, .constantS:
      try copyLEB(&reader)
      try change(0, 1, reader)
    case .duplicate: try change(1, 2, reader)
    case .drop: try change(1, 0, reader)
    case .over: try change(2, 3, reader)
    case .pick:
      let index: UInt8 = try reader.read()
      output.append(index)
      try change(Int(index) + 1, Int(index) + 2, reader)
    case .swap: try change(2, 2, reader)
    case .rotate: try change(3, 3, reader)
    case .and, .divide, .minus, .modulo, .multiply, .or, .plus, .shiftLeft, .shiftRight,
      .shiftRightArithmetic, .exclusiveOr, .equal, .greaterOrEqual, .greater, .lessOrEqual, .less,
      .notEqual:
      try change(2, 1, reader)
    case .plusConstant:
      try copyLEB(&reader)
      try change(1, 1, reader)
    case .branch:
      try change(1, 0, reader)
      try branch(&reader)
    case .skip:
      try branch(&reader)
      isUnreachable = true
    case _ where operation.isLiteral: try change(0, 1, reader)
    case _ where operation.isBaseRegister:
      try copyLEB(&reader)
      try change(0, 1, reader)
    case .baseRegister:
      try copyLEB(&reader)
      try copyLEB(&reader)
      try change(0, 1, reader)
    case .dereferenceSize:
      let size: UInt8 = try reader.read()
      guard size == 1 || size == 2 || size == 4 || size == 8 else {
        throw reader.error(.invalid("a value of \(size) bytes"))
      }
      output.append(size)
      try change(1, 1, reader)
    case .nothing: break
    case .frameAddress: try change(0, 1, reader)
    default: throw reader.error(.unsupported("operation \(operation.rawValue.hexadecimal)"))
    }
  }

  /// Removes `taken` values from the stack and pushes `put`.
  private mutating func change(
    _ taken: Int, _ put: Int, _ reader: borrowing ByteReader
  ) throws(ParseError) {
    guard depth >= taken else { throw reader.error(.invalid("an operand is missing")) }
    depth += put - taken
  }

  @_lifetime(reader: copy reader)
  private mutating func copy(_ size: Int, _ reader: inout ByteReader) throws(ParseError) {
    let value = try reader.readUnsigned(size: size)
    for byte in 0..<size { output.append(UInt8(truncatingIfNeeded: value &>> UInt64(byte * 8))) }
  }

  @_lifetime(reader: copy reader)
  private mutating func copyLEB(_ reader: inout ByteReader) throws(ParseError) {
    var byte: UInt8
    repeat {
      byte = try reader.read()
      output.append(byte)
    } while byte & 0x80 != 0
  }

  @_lifetime(reader: copy reader)
  private mutating func branch(_ reader: inout ByteReader) throws(ParseError) {
    let distance = Int(try reader.read(Int16.self))
    output.append(UInt8(truncatingIfNeeded: distance))
    output.append(UInt8(truncatingIfNeeded: distance &>> 8))
    guard distance >= 0 else {
      throw reader.error(.unsupported("a branch back, which might not end,"))
    }
    let target = reader.position + distance
    guard targets[target, default: depth] == depth else {
      throw reader.error(.invalid("branches with different stacks"))
    }
    targets[target] = depth
  }
}
