extension StackWalker {
  /// Whether the instruction before an address is a call; `nil` where its bytes are not at hand.
  func isAfterCall<Code: WalkedCode>(_ pc: UInt64, in code: inout Code) throws -> Bool? {
    switch processor.instructions {
    case .x86:
      guard let bytes = try instructionBytes(at: pc &- 7, count: 7, in: &code) else { return nil }
      return Self.endsWithX86Call(bytes)
    case .arm64:
      guard let word = try instructionBytes(at: pc &- 4, count: 4, in: &code) else { return nil }
      // bl; blr; blraa, blrab and those with zero as modifier
      return word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000
        || word & 0xfeff_f800 == 0xd63f_0800
    case .arm:
      guard let word = try instructionBytes(at: pc &- 4, count: 4, in: &code) else { return nil }
      let isARM =
        word & 0x0f00_0000 == 0x0b00_0000 || word & 0xfe00_0000 == 0xfa00_0000
        || word & 0x0fff_fff0 == 0x012f_ff30
      // bl, blx of Thumb: two halves; blx with a register: one
      let isThumb = word & 0xf800 == 0xf000 && word >> 16 & 0xc000 == 0xc000
      return isARM || isThumb || word >> 16 & 0xff80 == 0x4780
    case .riscv:
      guard let word = try instructionBytes(at: pc &- 4, count: 4, in: &code) else { return nil }
      // jal ra; jalr ra; c.jalr
      return word & 0xfff == 0x0ef || word & 0x7fff == 0x00e7
        || word >> 16 & 0xf07f == 0x9002 && word >> 16 & 0x0f80 != 0
    case .mips:
      // The instruction after the call is executed first, but for the compact ones.
      guard let slot = try instructionWord(at: pc &- 4, in: &code) else { return nil }
      // balc; jialc
      if slot >> 26 == 0x3a || slot >> 21 == 0x7c0 { return true }
      guard let word = try instructionWord(at: pc &- 8, in: &code) else { return nil }
      // jal, jalx; jalr; bltzal, bgezal and those that are likely
      return word >> 26 == 3 || word >> 26 == 29 || word & 0xfc00_003f == 9
        || word & 0xfc1c_0000 == 0x0410_0000
    case .power:
      guard let word = try instructionWord(at: pc &- 4, in: &code) else { return nil }
      // bl, bcl; bctrl, blrl with any condition
      return word & 0xfc00_0001 == 0x4800_0001 || word & 0xfc00_0001 == 0x4000_0001
        || word & 0xfc00_07ff == 0x4c00_0421 || word & 0xfc00_07ff == 0x4c00_0021
    }
  }

  /// - Parameter bytes: Seven, the last in the highest place.
  ///
  /// Source: Intel's manual, volume 2, CALL: E8 with a distance, FF /2 with a register or memory.
  static func endsWithX86Call(_ bytes: UInt64) -> Bool {
    func byte(_ back: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bytes >> (8 * (7 - back))) }
    if byte(5) == 0xe8 { return true }
    for length: UInt64 in 2...7 where byte(length) == 0xff {
      let operand = byte(length - 1)
      guard operand >> 3 & 7 == 2 else { continue }
      let mode = operand >> 6
      let register = operand & 7
      var expected: UInt64 = 2
      if mode != 3 {
        let hasIndex = register == 4
        if hasIndex { expected += 1 }
        let base = hasIndex && length > 2 ? byte(length - 2) & 7 : register
        if mode == 1 { expected += 1 }
        if mode == 2 || mode == 0 && base == 5 { expected += 4 }
      }
      if expected == length { return true }
    }
    return false
  }
}
