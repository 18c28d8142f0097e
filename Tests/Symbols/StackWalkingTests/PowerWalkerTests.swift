import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of Power and s390x")
struct PowerWalkerTests {
  @Test(
    "On Power each stack pointer leads to the caller's", arguments: [Architecture.ppc64le, .ppc])
  func backChain(_ architecture: Architecture) throws {
    let saved = architecture == .ppc ? "0x402000" : "0\n0x402000"
    let last = architecture == .ppc ? "0x403000" : "0\n0x403000"
    var drawing = try StackDrawing(
      architecture, ["pc": 0x40_1500, "lr": 0x40_1510, "r31": 0],
      """
      r1:      @caller
               0
               0x404000  saved by a function that returned
      caller:  @first
      \(saved)
               5
      first:   0
      \(last)
      """)
    let frames = ["401500 context", "402000 frame_pointer", "403000 frame_pointer"]
    #expect(try drawing.walk() == frames)
    // A leaf has no frame.
    drawing.registers["lr"] = 0x40_6004
    drawing.image.functions = [
      0x40_1000..<0x40_2000, 0x40_2000 - 8..<0x40_4000, 0x40_6000..<0x40_7000,
    ]
    drawing.image.hasStarts = true
    #expect(
      try drawing.walk() == [frames[0], "406004 frame_pointer"] + frames.dropFirst())
  }

  @Test("Rules of Power name the link register by numbers of their own")
  func powerRules() throws {
    var drawing = try StackDrawing(
      .ppc64le, ["pc": 0x40_1500, "lr": 0x40_1510],
      """
      r1:       @wrong    no back chain
                1
                2
                @chained  saved r31
                0
                5
                0x403000  return address
      wrong:    0
      chained:  0
      """)
    // r31 at CFA - 8; the link register at CFA + 16
    try drawing.image.addFrame(
      .ppc64le, stackPointer: 1, returnAddress: 65, [0x9f, 1, 0x11, 65, 0x7e])
    #expect(try drawing.walk() == ["401500 context", "403000 cfi"])
  }

  @Test("Below a signal handler of Power the kernel's structure points at the registers")
  func powerSignal() throws {
    var numbers = (0..<32).map { "\($0)" }
    numbers[1] = "@inner"
    var drawing = try StackDrawing(
      .ppc64le, ["pc": 0x40_1500, "lr": 0x40_8000],
      """
      r1:     @wrong
      \(Array(repeating: "0", count: 43).joined(separator: "\n"))
              @saved
              0
      saved:  \(numbers.joined(separator: "\n"))
              0x406000  pc
              1
              2
              3
              0x402000  lr
      wrong:  0
      inner:  @outer
              0
      outer:  0
              0
              0x403000
      """)
    drawing.code = [0x40_8000: [0xac, 0, 0, 0x38, 2, 0, 0, 0x44]]
    #expect(
      try drawing.walk().prefix(4) == [
        "401500 context", "408000 frame_pointer exact", "406000 cfi exact", "402000 frame_pointer",
      ])
  }
}
