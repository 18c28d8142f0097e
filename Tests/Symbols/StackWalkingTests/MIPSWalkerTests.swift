import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of MIPS")
struct MIPSWalkerTests {
  @Test("Stacks of MIPS are walked by rules, or otherwise by the words after a call and its slot")
  func mips() throws {
    var drawing = try StackDrawing(
      .mips64, ["pc": 0x40_1500, "ra": 0x40_1510],
      """
      sp:  1
           2
           3
           0x402008  return address
           0x403008  not after a call
           0x404008  return address
           0
      """)
    try drawing.image.addFrame(.mips64, stackPointer: 29, returnAddress: 31, [0x9f, 1])
    // jalr t9; move a0, s0
    drawing.code[0x40_4000] = [9, 0xf8, 0x20, 3, 0x25, 0x20, 0, 2]
    drawing.code[0x40_3000] = [0, 0, 0, 0, 0x25, 0x20, 0, 2]
    #expect(try drawing.walk() == ["401500 context", "402008 cfi", "404008 scan"])
  }

  @Test("The registers below a signal handler of big-endian MIPS have eight bytes")
  func mipsSignal() throws {
    var numbers = (0..<32).map { "0\n\($0)" }
    numbers[29] = "0\n@inner"
    numbers[31] = "0\n0x403008"
    var drawing = try StackDrawing(
      .mips, ["pc": 0x40_1500, "ra": 0x40_8000],
      """
      sp:     0
      \(Array(repeating: "0", count: 45).joined(separator: "\n"))
              0
              0x406000  pc
      \(numbers.joined(separator: "\n"))
      inner:  0
      """)
    drawing.endianness = .big
    // li v0, 4193; syscall
    drawing.code = [0x40_8000: [0x24, 2, 0x10, 0x61, 0, 0, 0, 12]]
    #expect(
      try drawing.walk() == [
        "401500 context", "408000 frame_pointer exact", "406000 cfi exact", "403008 frame_pointer",
      ])
  }
}
