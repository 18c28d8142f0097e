import Instructions
import Testing

@Suite("Decoding 64-bit Arm")
struct ARM64DecoderTests {
  /// Words, llvm-objdump's output for them, and the memory that they access.
  @Test(
    "Loads and stores have their accesses, branches their targets",
    arguments: [
      (0xf940_0820, "ldr x0, [x1, #0x10]", "read 8 [x1+0x10]"),
      (0xb900_03ff, "str wzr, [sp]", "write 4 [sp]"),
      (0xa9bf_7bfd, "stp x29, x30, [sp, #-0x10]!", "write 16 [sp-0x10]"),
      (0xa8c1_7bfd, "ldp x29, x30, [sp], #0x10", "read 16 [sp]"),
      (0x3840_1c20, "ldrb w0, [x1, #0x1]!", "read 1 [x1+0x1]"),
      (0xf85f_8020, "ldur x0, [x1, #-0x8]", "read 8 [x1-0x8]"),
      (0xf862_7820, "ldr x0, [x1, x2, lsl #3]", "read 8 [x1+x2*8]"),
      (0xb8a2_d820, "ldrsw x0, [x1, w2, sxtw #2]", "read 4 [x1+x2*4]"),
      (0x3dc0_0020, "ldr q0, [x1]", "read 16 [x1]"),
      (0xc85f_fc20, "ldaxr x0, [x1]", "read 8 [x1]"),
      (0xf8e0_0041, "ldaddal x0, x1, [x2]", "update 8 [x2]"),
      (0xc8a0_fc41, "casl x0, x1, [x2]", "update 8 [x2]"),
      (0x4c40_7020, "ld1 {v0}, [x1]", "read 16 [x1]"),
      (0x5800_0040, "ldr x0, 0x1008", "read 8 [pc+0x8]"),
      (0xd420_0020, "brk #0x1", ""),
      (0x0000_0000, "udf #0x0", ""),
      (0xd65f_03c0, "ret", ""),
      (0xd65f_0bff, "retaa", ""),
      (0xd63f_0100, "blr x8", ""),
      (0x9400_0002, "bl 0x1008", ""),
      (0xb400_0040, "cbz x0, 0x1008", ""),
    ] as [(UInt32, String, String)])
  func decodes(_ word: UInt32, _ text: String, _ accesses: String) throws {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    let instruction = try #require(InstructionSet.arm64.decode(bytes, at: 0x1000))
    #expect(instruction.length == 4)
    #expect(instruction.text == text)
    let shown = instruction.accesses.map {
      "\($0.kind.rawValue) \($0.size.map(String.init) ?? "?") \($0.operand.text)"
    }
    #expect(shown.joined(separator: "; ") == accesses)
  }

  @Test("A 32-bit index is sign-extended")
  func extends() throws {
    let instruction = try #require(
      InstructionSet.arm64.decode([0x20, 0xd8, 0xa2, 0xb8], at: 0x1000))
    let registers: [String: UInt64] = ["x1": 0x1000, "x2": 0x5555_ffff_fffe]
    let operand = try #require(instruction.accesses.first).operand
    #expect(operand.address { registers[$0] } == 0xff8)
  }

  @Test("Calls through a register name it")
  func flow() throws {
    let call = try #require(InstructionSet.arm64.decode([0x00, 0x01, 0x3f, 0xd6], at: 0))
    #expect(call.flow?.kind == .call)
    #expect(call.flow?.target == .register("x8"))
  }
}
