import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of 32-bit Arm")
struct ArmWalkerTests {
  @Test("The frame pointer of Apple's 32-bit Arm is r7")
  func appleArm() throws {
    let drawing = try StackDrawing(
      .armv7, ["pc": 0x40_1500, "lr": 0x40_1511], os: "iOS",
      """
      sp:     5
      r7:     @first    saved r7
              0x402001  return address, of Thumb
      first:  0
              0x403001
      """)
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test(
    "The exception index of 32-bit Arm has rules for calls, and none for functions without tables")
  func exceptionIndex() throws {
    var drawing = try StackDrawing(
      .armv7, ["pc": 0x40_1500, "lr": 0x40_1511],
      """
      sp:  4         saved r4
           0x403011  return address, of Thumb
           7         saved r7
           0x402021  return address
           5
           0x403031  an address to return to, two words further
      """)
    try drawing.image.addIndex([(0x1000, 0x80a8_b0b0), (0x2000, 1), (0x3000, 0x8084_08b0)])
    let callers = ["403010 cfi", "402020 cfi", "403030 scan"]
    #expect(try drawing.walk() == ["401500 context"] + callers)
    // At its first instruction and its last the function has no frame.
    drawing.registers["sp"] = StackDrawing.start + 8
    drawing.registers["lr"] = 0x40_3011
    drawing.registers["pc"] = 0x40_1600
    drawing.code = [0x40_1600: [0x70, 0x47, 0, 0]]
    #expect(try drawing.walk() == ["401600 context", "403010 frame_pointer"] + callers.dropFirst())
  }

  @Test("Rules for every instruction come before the exception index of 32-bit Arm")
  func bothRules() throws {
    var drawing = try StackDrawing(
      .armv7, ["pc": 0x40_1500, "lr": 0],
      """
      sp:  0x402021  return address
           0x403031  return address by the index
      """)
    let lines = "STACK CFI INIT 1000 1000 .cfa: sp 4 + .ra: .cfa -4 + ^\n"
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .armv7)
    try drawing.image.addIndex([(0x1000, 0x80a8_b0b0), (0x2000, 1)])
    #expect(try drawing.walk().prefix(2) == ["401500 context", "402020 cfi"])
  }

  @Test("What the kernel saved for a handler of 32-bit Arm is found by the exception index")
  func armSignal() throws {
    var drawing = try StackDrawing(
      .armv7, ["pc": 0x40_1500, "lr": 0],
      """
      sp:     4         saved r4
              0x403001  the end of handlers
      \(Array(repeating: "0", count: 40).joined(separator: "\n"))
      \(Array(repeating: "3", count: 13).joined(separator: "\n"))
              @inner    sp
              0x404000  lr
              0x402020  pc: the instruction itself
              9
      inner:  7
              0x401801  return address
      """)
    // vsp + 160; pop r0-r3; pop r4-r15
    try drawing.image.addIndex(
      [(0x1000, 0x80a8_b0b0), (0x2000, 0x8084_08b0), (0x3000, .max), (0x4000, 1)],
      [0x8102_27b1, 0x0f8f_ffb0, 0])
    #expect(
      try drawing.walk().prefix(4) == [
        "401500 context", "403000 cfi exact", "402020 cfi exact", "401800 cfi",
      ])
  }
}
