internal import Bytes

/// Checks an expression and turns the operands of fixed size round to little-endian.
///
/// Source: DWARF 5, sections 2.5, 6.4.2 (what may not stand in call frame information) and 7.7.1.
struct ExpressionReader {
  private let addressSize: Int
  private let endianness: Endianness
  private var output: [UInt8] = []
  private var depth: Int
  /// For each offset that a branch leads to, how deep the stack is there.
  private var targets: [Int: Int] = [:]
  /// Whether an unconditional branch stands before the next operation.
  private var isUnreachable = false

  /// - Parameter depth: How many values are on the stack at the beginning.
  init(addressSize: Int, endianness: Endianness, depth: Int) {
    self.addressSize = addressSize
    self.endianness = endianness
    self.depth = depth
  }

  /// The operations in `bytes` in the form of the file.
  ///
  /// - Parameter base: Where the bytes lie in their section, for errors.
  /// - Throws: ``ParseError`` for an expression that is damaged or too long, uses what unwinding has
  ///   not, or might not end.
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

  /// Joins the stack with that of the branches that lead here.
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
    let code: UInt8 = try reader.read()
    output.append(code)
    switch code {
    case 0x03:
      try copy(addressSize, &reader)
      try change(0, 1, reader)
    case 0x06, 0x19, 0x1f, 0x20: try change(1, 1, reader)
    case 0x08, 0x09:
      try copy(1, &reader)
      try change(0, 1, reader)
    case 0x0a, 0x0b:
      try copy(2, &reader)
      try change(0, 1, reader)
    case 0x0c, 0x0d:
      try copy(4, &reader)
      try change(0, 1, reader)
    case 0x0e, 0x0f:
      try copy(8, &reader)
      try change(0, 1, reader)
    case 0x10, 0x11:
      try copyLEB(&reader)
      try change(0, 1, reader)
    case 0x12: try change(1, 2, reader)
    case 0x13: try change(1, 0, reader)
    case 0x14: try change(2, 3, reader)
    case 0x15:
      let index: UInt8 = try reader.read()
      output.append(index)
      try change(Int(index) + 1, Int(index) + 2, reader)
    case 0x16: try change(2, 2, reader)
    case 0x17: try change(3, 3, reader)
    case 0x1a...0x1e, 0x21, 0x22, 0x24...0x27, 0x29...0x2e: try change(2, 1, reader)
    case 0x23:
      try copyLEB(&reader)
      try change(1, 1, reader)
    case 0x28:
      try change(1, 0, reader)
      try branch(&reader)
    case 0x2f:
      try branch(&reader)
      isUnreachable = true
    case 0x30...0x4f: try change(0, 1, reader)
    case 0x70...0x8f:
      try copyLEB(&reader)
      try change(0, 1, reader)
    case 0x92:
      try copyLEB(&reader)
      try copyLEB(&reader)
      try change(0, 1, reader)
    case 0x94:
      let size: UInt8 = try reader.read()
      guard size == 1 || size == 2 || size == 4 || size == 8 else {
        throw reader.error(.invalid("a value of \(size) bytes"))
      }
      output.append(size)
      try change(1, 1, reader)
    case 0x96: break
    case 0x9c: try change(0, 1, reader)
    default: throw reader.error(.unsupported("operation \(code.hexadecimal)"))
    }
  }

  /// Takes `taken` values off the stack and puts `put` on it.
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
