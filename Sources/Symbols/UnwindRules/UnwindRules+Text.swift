internal import Bytes
internal import DWARF

extension UnwindRules {
  /// The operations of an expression in words: `breg7 8, deref`.
  ///
  /// - Complexity: O(length).
  public func text(of expression: UnwindExpression) -> String {
    let bytes = self.bytes(of: expression)
    var reader = ByteReader(bytes, reading: "unwind expression")
    var words: [String] = []
    while let code = try? reader.read(UInt8.self) {
      let operation = ExpressionOperation(rawValue: code)
      let name = ExpressionOperation.names[operation] ?? code.hexadecimal
      let operands = (try? Self.operands(of: operation, &reader, addressSize)) ?? ["?"]
      words.append(([name] + operands).joined(separator: " "))
    }
    return words.joined(separator: ", ")
  }

  @_lifetime(reader: copy reader)
  private static func operands(
    of operation: ExpressionOperation, _ reader: inout ByteReader, _ addressSize: Int
  ) throws(ParseError) -> [String] {
    switch operation {
    case .address: return [try reader.readUnsigned(size: addressSize).hexadecimal]
    case .constant1u, .pick, .dereferenceSize: return ["\(try reader.read(UInt8.self))"]
    case .constant1s: return ["\(try reader.read(Int8.self))"]
    case .constant2u: return ["\(try reader.read(UInt16.self))"]
    case .constant2s, .branch, .skip: return ["\(try reader.read(Int16.self))"]
    case .constant4u: return ["\(try reader.read(UInt32.self))"]
    case .constant4s: return ["\(try reader.read(Int32.self))"]
    case .constant8u: return ["\(try reader.read(UInt64.self))"]
    case .constant8s: return ["\(try reader.read(Int64.self))"]
    case .constantU, .plusConstant: return ["\(try reader.readULEB128())"]
    case .constantS: return ["\(try reader.readSLEB128())"]
    case .baseRegister:
      return ["\(try reader.readULEB128())", "\(try reader.readSLEB128())"]
    case _ where operation.isBaseRegister:
      return ["\(try reader.readSLEB128())"]
    default: return []
    }
  }
}
