internal import Bytes

/// A common information entry, which the entries of many functions share.
///
///     SIZE     FIELD
///     4/12     length of what follows (4 bytes of ones before it: 64-bit form)
///     4/8      0 in .eh_frame, all ones in .debug_frame
///     1        version: 1, 3 or 4
///     n        augmentation, with a NUL
///     1        size of an address (version 4)
///     1        size of a segment selector (version 4)
///     4/8      only with augmentation "eh": a pointer
///     LEB128   code alignment, unsigned
///     LEB128   data alignment, signed
///     1        register of the return address (from version 3 on an unsigned LEB128)
///     LEB128   with "z": length of the augmentation data, then the data
///     n        instructions
///
/// Source: DWARF 5, section 6.4.1; LSB Core 5.0, section 10.6.1, for `.eh_frame`.
struct CommonEntry: Sendable {
  var codeAlignment: UInt64 = 1
  var dataAlignment: Int64 = 1
  var returnAddressRegister: UInt8 = 0
  var addressSize: Int
  var segmentSize = 0
  /// How addresses of functions are written; 0 is plain.
  var addressEncoding: UInt8 = 0
  /// Whether the entries of functions have augmentation data with a length ("z").
  var hasAugmentationLength = false
  /// The frame of a signal handler ("S").
  var isSignalFrame = false
  /// The instructions that all functions begin with, from the start of the section.
  var instructions: Range<Int> = 0..<0
  /// The row after those instructions, with its rules in the reader's table.
  var head = CallFrameRules.Head()
  var rules: Range<Int> = 0..<0

  init(addressSize: Int) { self.addressSize = addressSize }

  /// - Parameter reader: Begins with the section, stands after the id and ends with the entry.
  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int) throws(ParseError) {
    self.init(addressSize: addressSize)
    let version: UInt8 = try reader.read()
    guard version == 1 || version == 3 || version == 4 else {
      throw reader.error(.unsupported("version \(version)"))
    }
    let augmentation = try reader.readCString()
    if version == 4 {
      self.addressSize = Int(try reader.read(UInt8.self))
      segmentSize = Int(try reader.read(UInt8.self))
      guard self.addressSize == 4 || self.addressSize == 8, segmentSize == 0 else {
        throw reader.error(.unsupported("a segment or an address of \(self.addressSize) bytes"))
      }
    }
    // An old form of gcc 2.
    if Self.isOld(augmentation) { try reader.skip(addressSize) }
    codeAlignment = try reader.readULEB128()
    dataAlignment = try reader.readSLEB128()
    let register = version == 1 ? UInt64(try reader.read(UInt8.self)) : try reader.readULEB128()
    guard let register = UInt8(exactly: register) else {
      throw reader.error(.unsupported("a return address in register \(register)"))
    }
    returnAddressRegister = register
    try readAugmentation(augmentation, &reader)
    instructions = reader.position..<reader.count
  }

  private static func isOld(_ augmentation: RawSpan) -> Bool {
    augmentation.byteCount >= 2 && augmentation.byte(0) == UInt8(ascii: "e")
      && augmentation.byte(1) == UInt8(ascii: "h")
  }

  /// Source: LSB Core 5.0, section 10.6.1.1.1; for "B" and "G" the ABI of the Arm 64-bit
  /// architecture (aadwarf64), "Call frame information".
  @_lifetime(reader: copy reader)
  private mutating func readAugmentation(
    _ augmentation: RawSpan, _ reader: inout ByteReader
  ) throws(ParseError) {
    guard augmentation.byteCount > 0, !Self.isOld(augmentation) else { return }
    guard augmentation.byte(0) == UInt8(ascii: "z") else {
      // Data of armcc changes nothing.
      if augmentation.text == "armcc+" { return }
      throw reader.error(.unsupported("augmentation '\(augmentation.text)'"))
    }
    hasAugmentationLength = true
    let length = try reader.readULEB128()
    guard length <= UInt64(reader.remaining) else { throw reader.error(.invalid("augmentation")) }
    let end = reader.position + Int(length)
    for index in 1..<max(augmentation.byteCount, 1) {
      switch augmentation.byte(index) {
      case UInt8(ascii: "P"):
        let encoding: UInt8 = try reader.read()
        try PointerEncoding(encoding).skip(&reader, addressSize: addressSize)
      case UInt8(ascii: "L"): try reader.skip(1)
      case UInt8(ascii: "R"): addressEncoding = try reader.read()
      case UInt8(ascii: "S"): isSignalFrame = true
      case UInt8(ascii: "B"), UInt8(ascii: "G"): break
      default:
        // The length says where the instructions begin, whatever else there is.
        return try reader.seek(to: end)
      }
    }
    try reader.seek(to: end)
  }
}
