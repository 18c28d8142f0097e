internal import Bytes

/// One unwind code of 64-bit Arm Windows, which describes one instruction of four bytes.
///
/// Source: Microsoft, "ARM64 exception handling", "Unwind codes".
enum ARM64UnwindCode {
  /// The stack pointer was moved.
  case allocate(Int64)
  /// Registers from `first` on were saved at an offset from the stack pointer; where it was moved
  /// before, by this many bytes, the offset is 0.
  case save([UInt16], at: Int64, moved: Int64)
  case setFrame
  case addFrame(Int64)
  case nothing
  case signReturnAddress
  /// Registers are restored from the stack of an interrupted program.
  case machineFrame
  case end
  /// The end of a fragment of a function whose frame another fragment built.
  case endChained
  /// The next pair of registers was saved like those of the preceding code (in the order of
  /// undoing: the following one).
  case saveNext

  private static let integer: UInt16 = 19
  private static let float: UInt16 = 72
  private static let frame: UInt16 = 29
  private static let link: UInt16 = 30

  /// The first byte of a code; "moving" ones move the stack pointer first.
  ///
  /// Source: Microsoft, "ARM64 exception handling", "Unwind codes".
  private enum Code {
    static var allocateSmall: ClosedRange<UInt16> { 0x00...0x1f }
    static var saveR19R20Moving: ClosedRange<UInt16> { 0x20...0x3f }
    static var saveFrameAndLink: ClosedRange<UInt16> { 0x40...0x7f }
    static var saveFrameAndLinkMoving: ClosedRange<UInt16> { 0x80...0xbf }
    static var twoBytes: ClosedRange<UInt16> { 0xc0...0xdf }
    static var allocateLarge: UInt16 { 0xe0 }
    static var setFrame: UInt16 { 0xe1 }
    static var addFrame: UInt16 { 0xe2 }
    static var nothing: UInt16 { 0xe3 }
    static var end: UInt16 { 0xe4 }
    static var endChained: UInt16 { 0xe5 }
    static var saveNext: UInt16 { 0xe6 }
    static var saveAnyRegister: UInt16 { 0xe7 }
    static var machineFrame: UInt16 { 0xe9 }
    static var clearUnwoundToCall: UInt16 { 0xec }
    static var signReturnAddress: UInt16 { 0xfc }
    static var allocateMedium: ClosedRange<UInt16> { 0xc0...0xc7 }
    static var saveRegisterPair: ClosedRange<UInt16> { 0xc8...0xcb }
    static var saveRegisterPairMoving: ClosedRange<UInt16> { 0xcc...0xcf }
    static var saveRegister: ClosedRange<UInt16> { 0xd0...0xd3 }
    static var saveRegisterMoving: ClosedRange<UInt16> { 0xd4...0xd5 }
    static var saveLinkPair: ClosedRange<UInt16> { 0xd6...0xd7 }
    static var saveFloatPair: ClosedRange<UInt16> { 0xd8...0xd9 }
    static var saveFloatPairMoving: ClosedRange<UInt16> { 0xda...0xdb }
    static var saveFloat: ClosedRange<UInt16> { 0xdc...0xdd }
    static var saveFloatMoving: UInt16 { 0xde }
  }

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader) throws(ParseError) {
    let first = UInt16(try reader.read(UInt8.self))
    switch first {
    case Code.allocateSmall: self = .allocate(Int64(first) * 16)
    case Code.saveR19R20Moving:
      self = .save([19, 20], at: 0, moved: Int64(first & 0x1f) * 8)
    case Code.saveFrameAndLink:
      self = .save([Self.frame, Self.link], at: Int64(first & 0x3f) * 8, moved: 0)
    case Code.saveFrameAndLinkMoving:
      self = .save([Self.frame, Self.link], at: 0, moved: Int64(first & 0x3f) * 8 + 8)
    case Code.twoBytes:
      let word = first << 8 | UInt16(try reader.read(UInt8.self))
      self = try Self.twoBytes(word, reader)
    case Code.allocateLarge:
      let bytes = (
        Int64(try reader.read(UInt8.self)), Int64(try reader.read(UInt8.self)),
        Int64(try reader.read(UInt8.self))
      )
      self = .allocate((bytes.0 << 16 | bytes.1 << 8 | bytes.2) * 16)
    case Code.setFrame: self = .setFrame
    case Code.addFrame: self = .addFrame(Int64(try reader.read(UInt8.self)) * 8)
    case Code.nothing: self = .nothing
    case Code.end: self = .end
    case Code.endChained: self = .endChained
    case Code.saveNext: self = .saveNext
    case Code.saveAnyRegister: self = try Self.anyRegister(&reader)
    case Code.machineFrame: self = .machineFrame
    case Code.clearUnwoundToCall: self = .nothing
    case Code.signReturnAddress: self = .signReturnAddress
    default:
      throw reader.error(.unsupported("unwind code \(first.hexadecimal)"))
    }
  }

  private static func twoBytes(
    _ word: UInt16, _ reader: borrowing ByteReader
  ) throws(ParseError) -> ARM64UnwindCode {
    let offset = Int64(word & 0x3f) * 8
    let number = word >> 6 & 15
    switch word >> 8 {
    case Code.allocateMedium: return .allocate(Int64(word & 0x7ff) * 16)
    case Code.saveRegisterPair: return .save(pair(integer, number), at: offset, moved: 0)
    case Code.saveRegisterPairMoving: return .save(pair(integer, number), at: 0, moved: offset + 8)
    case Code.saveRegister: return .save([integer + number], at: offset, moved: 0)
    case Code.saveRegisterMoving:
      return .save([integer + (word >> 5 & 15)], at: 0, moved: Int64(word & 0x1f) * 8 + 8)
    case Code.saveLinkPair:
      return .save([integer + 2 * (word >> 6 & 7), link], at: offset, moved: 0)
    case Code.saveFloatPair: return .save(pair(float, word >> 6 & 7), at: offset, moved: 0)
    case Code.saveFloatPairMoving:
      return .save(pair(float, word >> 6 & 7), at: 0, moved: offset + 8)
    case Code.saveFloat: return .save([float + (word >> 6 & 7)], at: offset, moved: 0)
    case Code.saveFloatMoving:
      return .save([float + (word >> 5 & 7)], at: 0, moved: Int64(word & 0x1f) * 8 + 8)
    default:
      throw reader.error(.unsupported("unwind code \(word.hexadecimal)"))
    }
  }

  private static func pair(_ first: UInt16, _ number: UInt16) -> [UInt16] {
    [first + number, first + number + 1]
  }

  /// `save_any_reg`: after the first byte, bit 6 a pair, bit 5 the stack pointer was moved before,
  /// bits 0-4 the register; then bits 6-7 0 for x, 1 for d and 2 for q registers, bits 0-5 the
  /// offset in 8 bytes, of pairs, q registers and where the pointer was moved in 16.
  @_lifetime(reader: copy reader)
  private static func anyRegister(
    _ reader: inout ByteReader
  ) throws(ParseError) -> ARM64UnwindCode {
    let first = UInt16(try reader.read(UInt8.self))
    let second: UInt8 = try reader.read()
    let kind = second >> 6
    guard first & 0x80 == 0, kind < 3 else {
      throw reader.error(.unsupported("unwind code \(Code.saveAnyRegister.hexadecimal)"))
    }
    let (isPair, isMoved) = (first & 0x40 != 0, first & 0x20 != 0)
    // A q register's lower half is the d register used by other code.
    let register = (kind == 0 ? 0 : 64) + (first & 0x1f)
    let scale: Int64 = isPair || isMoved || kind == 2 ? 16 : 8
    let offset = Int64(second & 0x3f) * scale
    let registers = isPair ? [register, register + 1] : [register]
    // The values of q registers are 16 bytes apart.
    guard kind != 2 || !isPair else { throw reader.error(.unsupported("a pair of q registers")) }
    return .save(registers, at: isMoved ? 0 : offset, moved: isMoved ? offset + 16 : 0)
  }
}

/// A sequence of codes, in the order in which a frame is taken down.
struct ARM64UnwindCodes {
  /// The codes without the end code.
  private(set) var codes: [ARM64UnwindCode] = []
  /// Whether another fragment of the function built the remaining frame.
  private(set) var isChained = false
  /// The codes of the other fragment.
  private(set) var parent: [ARM64UnwindCode] = []

  init(_ codes: [ARM64UnwindCode]) { self.codes = codes }

  /// - Parameter bytes: Bytes that begin with the first code.
  init(parsing bytes: RawSpan) throws(ParseError) {
    var reader = ByteReader(bytes, reading: "unwind codes")
    while !reader.isAtEnd {
      guard codes.count + parent.count < UnwindLimits.codes else {
        throw reader.error(.limit(name: "unwind codes", value: UnwindLimits.codes))
      }
      let code = try ARM64UnwindCode(reading: &reader)
      if case .end = code { return }
      if case .endChained = code {
        isChained = true
        continue
      }
      if isChained { parent.append(code) } else { codes.append(code) }
    }
  }

  /// The number of codes.
  var count: Int { codes.count + parent.count }

  /// The steps that take the frame down when the first `skipped` codes need not be undone.
  func undo(skipping skipped: Int) throws(ParseError) -> EpilogueSimulator {
    var undo = EpilogueSimulator(stackPointer: 31, returnAddressRegister: 30)
    var next = 0
    for code in codes.dropFirst(skipped) + parent { try Self.step(code, &undo, &next) }
    return undo
  }

  /// - Parameter next: How many pairs in addition to its own the next save has.
  private static func step(
    _ code: ARM64UnwindCode, _ undo: inout EpilogueSimulator, _ next: inout Int
  ) throws(ParseError) {
    switch code {
    case .allocate(let size): undo.free(size)
    case .save(let registers, let offset, let moved):
      for (index, register) in registers.enumerated() {
        undo.restore(register, at: offset + Int64(index) * 8)
      }
      // The following registers are stored after it.
      if next > 0, registers.count == 2, registers[1] == registers[0] + 1 {
        for pair in 1...next {
          guard let register = Self.pair(pair, after: registers[0]) else { break }
          undo.restore(register, at: offset + Int64(16 * pair))
          undo.restore(register + 1, at: offset + Int64(16 * pair + 8))
        }
      }
      next = 0
      undo.free(moved)
    case .saveNext: next = min(next + 1, 8)
    case .setFrame, .addFrame:
      guard !undo.hasRestored(29) else {
        throw ParseError(.invalid("a frame without its register"), in: "unwind codes", at: 0)
      }
      if case .addFrame(let offset) = code {
        undo.setStack(to: 29, plus: -offset)
      } else {
        undo.setStack(to: 29, plus: 0)
      }
    case .signReturnAddress: undo.flags.insert(.signedReturnAddress)
    case .machineFrame:
      // Data pushed by an interrupt: the stack pointer and the program counter.
      undo.restore(31, at: 0)
      undo.restore(32, at: 8)
      undo.returnAddressRegister = 32
      undo.flags.insert(.signalFrame)
    case .nothing, .end, .endChained: break
    }
  }

  /// The first register of the pair that many pairs after that of `first`: x27 and x28 are followed
  /// by d8 and d9.
  private static func pair(_ count: Int, after first: UInt16) -> UInt16? {
    if first >= 64 {
      let register = first + UInt16(2 * count)
      return register < 79 ? register : nil
    }
    guard first >= 19, first <= 27 else { return nil }
    let index = Int(first - 19) / 2 + count
    if index < 5 { return first + UInt16(2 * count) }
    return index < 9 ? UInt16(72 + 2 * (index - 5)) : nil
  }
}
