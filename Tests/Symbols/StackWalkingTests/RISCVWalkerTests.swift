import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of RISC-V")
struct RISCVWalkerTests {
  @Test("Frames of RISC-V keep the return address below the frame pointer")
  func riscv() throws {
    let drawing = try StackDrawing(
      .riscv64, ["pc": 0x40_1500, "ra": 0x40_1510],
      """
      sp:     5
              @first    saved s0
              0x402000  saved ra
      s0:     6
              0         saved s0
              0x403000  saved ra
      first:  1
      """)
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test("Functions of RISC-V without rules are unwound by their first instructions")
  func prologueOfRISCV() throws {
    var drawing = try StackDrawing(
      .riscv64, ["pc": 0x40_1500, "ra": 0x40_1480, "s0": 3],
      """
      sp:      0
               0x404000   an address that an earlier call left
      \(Array(repeating: "0", count: 20).joined(separator: "\n"))
               @frame     s0 at 176(sp)
               0x402000   ra at 184(sp)
      caller:  0
               0x403000
      frame:   0
      """)
    // add sp, sp, -192; sd s0, 176(sp); auipc s0, 0x100; sd ra, 184(sp); beq a5, s2, 32
    drawing.code = [
      0x40_1000: [
        0x31, 0x71, 0x22, 0xf9, 0x17, 0x04, 0x10, 0x00, 0x06, 0xfd, 0x63, 0x80, 0x27, 0x03, 0x01,
        0x71,
      ]
    ]
    drawing.image.hasStarts = true
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }
}
