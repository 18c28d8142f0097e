/// The frame of a function of the canonical form, in one word of the function table.
///
///     BITS   FIELD
///      0- 1  1 with a prologue and an epilogue, 2 without
///      2-12  length of the function, in 4 bytes
///     13-15  floating-point registers from d8 on that are saved, less 1; 0 for none
///     16-19  registers from x19 on that are saved
///        20  whether the parameters x0 to x7 are stored first
///     21-22  0 lr is not saved; 1 it is; 2 x29 and lr are, signed; 3 x29 and lr are
///     23-31  size of the frame, in 16 bytes
///
/// Source: Microsoft, "ARM64 exception handling", "Packed unwind data".
struct ARM64PackedFunction {
  let length: UInt32
  /// Whether the frame is built and taken down here.
  let hasPrologue: Bool
  private let floats: Int
  private let integers: Int
  private let storesParameters: Bool
  private let link: UInt32
  private let frameSize: Int64

  init(_ word: UInt32) {
    hasPrologue = word & 3 == 1
    length = (word >> 2 & 0x7ff) * 4
    let floatField = Int(word >> 13 & 7)
    floats = floatField == 0 ? 0 : floatField + 1
    integers = Int(word >> 16 & 15)
    storesParameters = word >> 20 & 1 == 1
    link = word >> 21 & 3
    frameSize = Int64(word >> 23) * 16
  }

  private static let firstInteger: UInt16 = 19
  private static let firstFloat: UInt16 = 72
  private static let linkRegister: UInt16 = 30

  /// The codes that take the frame down, for the prologue and for the epilogue; `nil` for a form that
  /// unwinders do not support either.
  var codes: (prologue: [ARM64UnwindCode], epilogue: [ARM64UnwindCode])? {
    guard integers <= 10, !(link == 1 && integers == 1) else { return nil }
    let integerSize = Int64(8 * integers + (link == 1 ? 8 : 0))
    let savedSize =
      (integerSize + Int64(8 * floats) + (storesParameters ? 64 : 0) + 15) & ~15
    let localSize = frameSize - savedSize
    guard localSize >= 0 else { return nil }
    let frame = frameCodes(localSize)
    var saves = floatCodes(integerSize, savedSize) + integerCodes(integerSize, savedSize)
    var stores: [ARM64UnwindCode] = []
    if storesParameters {
      stores = [.nothing, .nothing, .nothing, .nothing]
      if saves.isEmpty {
        // The first of them allocates the space.
        stores[3] = .allocate(savedSize)
      }
    }
    if link == 2 { saves.append(.signReturnAddress) }
    let epilogueStores = stores.filter { if case .allocate = $0 { true } else { false } }
    let setFrame: [ARM64UnwindCode] = link >= 2 ? [.setFrame] : []
    return (setFrame + frame + stores + saves, frame + epilogueStores + saves)
  }

  /// The codes for the locals, and x29 and lr below them.
  private func frameCodes(_ size: Int64) -> [ARM64UnwindCode] {
    var codes: [ARM64UnwindCode] = []
    if link >= 2 {
      if size <= 512 { return [.save([29, Self.linkRegister], at: 0, moved: size)] }
      codes.append(.save([29, Self.linkRegister], at: 0, moved: 0))
    }
    if size > 4080 {
      codes += [.allocate(size - 4080), .allocate(4080)]
    } else if size > 0 {
      codes.append(.allocate(size))
    }
    return codes
  }

  private func floatCodes(_ integerSize: Int64, _ savedSize: Int64) -> [ARM64UnwindCode] {
    var codes: [ARM64UnwindCode] = []
    for pair in stride(from: (floats + 1) / 2 - 1, through: 0, by: -1) {
      let first = Self.firstFloat + UInt16(2 * pair)
      let offset = integerSize + Int64(16 * pair)
      if 2 * pair + 1 == floats {
        codes.append(.save([first], at: offset, moved: 0))
      } else {
        let makesRoom = pair == 0 && integers == 0 && link != 1
        codes.append(
          .save([first, first + 1], at: makesRoom ? 0 : offset, moved: makesRoom ? savedSize : 0))
      }
    }
    return codes
  }

  private func integerCodes(_ integerSize: Int64, _ savedSize: Int64) -> [ARM64UnwindCode] {
    var codes: [ARM64UnwindCode] = []
    if link == 1, integers % 2 == 0 {
      let isFirst = integers == 0
      codes.append(
        .save(
          [Self.linkRegister], at: isFirst ? 0 : integerSize - 8, moved: isFirst ? savedSize : 0))
    }
    for pair in stride(from: (integers + 1) / 2 - 1, through: 0, by: -1) {
      let first = Self.firstInteger + UInt16(2 * pair)
      var registers = [first, first + 1]
      if 2 * pair + 1 == integers { registers = link == 1 ? [first, Self.linkRegister] : [first] }
      codes.append(
        .save(registers, at: pair == 0 ? 0 : Int64(16 * pair), moved: pair == 0 ? savedSize : 0))
    }
    return codes
  }
}
