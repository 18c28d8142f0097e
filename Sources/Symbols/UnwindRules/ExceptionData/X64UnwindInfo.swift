internal import Bytes

/// How the prologue of a function of 64-bit Windows built its frame.
///
///     OFFSET  SIZE  FIELD
///          0     1  bits 0-2 version, 1 or 2; bits 3-7 flags: 4 means chained
///          1     1  size of the prologue in bytes
///          2     1  number of codes
///          3     1  bits 0-3 frame register, 0 for none; bits 4-7 its offset, in 16 bytes
///          4   2*n  codes, the last step of the prologue first; an even number of them
///                   where chained, an entry of the function table: the information goes on there
///
/// A code of two bytes says where its step ends in the prologue (1), what it is (4 bits) and more (4
/// bits); some take further two-byte slots.
///
/// Source: Microsoft, "x64 exception handling", "struct UNWIND_INFO"; version 2 and its epilogue codes
/// in .NET's unwinder (win64unwind.h) and LLVM's Win64EH.
struct X64UnwindInfo {
  struct Code {
    /// The end of the step, from the start of the function.
    let offset: UInt8
    let operation: UInt8
    let info: UInt8
    /// The value of the further slots.
    let operand: UInt32
  }

  enum Operation {
    static let push: UInt8 = 0
    static let allocateLarge: UInt8 = 1
    static let allocateSmall: UInt8 = 2
    static let setFrame: UInt8 = 3
    static let save: UInt8 = 4
    static let saveFar: UInt8 = 5
    /// Version 2: an epilogue; version 1: half of an xmm register, now obsolete.
    static let epilogue: UInt8 = 6
    static let spare: UInt8 = 7
    static let saveXMM: UInt8 = 8
    static let saveXMMFar: UInt8 = 9
    static let machineFrame: UInt8 = 10
  }

  let version: UInt8
  let frameRegister: UInt8
  let frameOffset: Int64
  /// The codes without epilogues.
  private(set) var codes: [Code] = []
  /// The starts of epilogues, in bytes before the end of the function.
  private(set) var epilogues: [UInt32] = []
  /// In bytes, from the first register that is popped.
  private(set) var epilogueSize: UInt32 = 0
  /// The unwind information of the function that this is a part of.
  private(set) var parent: UInt32?

  private static let chained: UInt8 = 4

  init(parsing bytes: ByteView) throws(ParseError) {
    var reader = ByteReader(bytes.bytes, reading: "unwind info")
    let head: UInt8 = try reader.read()
    version = head & 7
    guard version == 1 || version == 2 else {
      throw ParseError(.unsupported("version \(version)"), in: "unwind info", at: 0)
    }
    try reader.skip(1)
    let count = Int(try reader.read(UInt8.self))
    let frame: UInt8 = try reader.read()
    frameRegister = frame & 15
    frameOffset = Int64(frame >> 4) * 16
    let end = reader.position + 2 * count
    while reader.position < end { try readCode(&reader) }
    if head >> 3 & Self.chained != 0 {
      try reader.seek(to: 4 + (count + 1) / 2 * 4)
      try reader.skip(8)
      parent = try reader.read()
    }
  }

  @_lifetime(reader: copy reader)
  private mutating func readCode(_ reader: inout ByteReader) throws(ParseError) {
    let offset: UInt8 = try reader.read()
    let word: UInt8 = try reader.read()
    let (operation, info) = (word & 15, word >> 4)
    var operand: UInt32 = 0
    switch operation {
    case Operation.allocateLarge where info == 0, Operation.save, Operation.saveXMM:
      operand = UInt32(try reader.read(UInt16.self))
    case Operation.allocateLarge, Operation.saveFar, Operation.saveXMMFar:
      operand = try reader.read()
    case Operation.epilogue where version == 2:
      addEpilogue(offset, info)
      return
    case Operation.epilogue:
      try reader.skip(2)
      return
    case Operation.spare:
      try reader.skip(version == 2 ? 2 : 4)
      return
    case Operation.push, Operation.allocateSmall, Operation.setFrame, Operation.machineFrame:
      break
    default:
      throw reader.error(.unsupported("code \(operation)"))
    }
    codes.append(Code(offset: offset, operation: operation, info: info, operand: operand))
  }

  /// The first code gives the size of all epilogues, and whether there is one at the end of the function;
  /// each further code gives the start of another one.
  private mutating func addEpilogue(_ offset: UInt8, _ info: UInt8) {
    if epilogueSize == 0 {
      epilogueSize = UInt32(offset)
      if info & 1 != 0, offset > 0 { epilogues.append(epilogueSize) }
    } else {
      let distance = UInt32(offset) | UInt32(info) << 8
      if distance > 0 { epilogues.append(distance) }
    }
  }
}
