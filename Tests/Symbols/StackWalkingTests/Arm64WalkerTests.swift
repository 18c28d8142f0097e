import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of 64-bit Arm")
struct Arm64WalkerTests {
  @Test("Programs of 64-bit Arm have addresses of 48 bits and more")
  func highAddresses() throws {
    let arm = try #require(WalkedProcessor(.arm64))
    #expect(arm.isCanonical(0xffff_a1d9_73fc) && arm.isCanonical(0x000f_0000_0000_0000))
    #expect(!arm.isCanonical(0x0041_4141_4141_4141))
    let intel = try #require(WalkedProcessor(.x86_64))
    #expect(!intel.isCanonical(0xffff_a1d9_73fc) && intel.isCanonical(0x7fff_ffff_0000))
  }

  @Test("A leaf function of 64-bit Arm returns to the link register")
  func leaf() throws {
    var drawing = try StackDrawing(
      .arm64, ["pc": 0x40_1500, "lr": 0x40_6004],
      """
      sp:     1
      fp:     @first    the caller's frame
              0x403000  its return address
      first:  0
              0
      """)
    drawing.image.functions = [0x40_1000..<0x40_2000, 0x40_3000..<0x40_4000, 0x40_6000..<0x40_7000]
    drawing.image.hasStarts = true
    let frames = ["401500 context", "406004 frame_pointer", "403000 frame_pointer"]
    #expect(try drawing.walk() == frames)
    // Once the function has called another, the register has an address of its own.
    drawing.registers["lr"] = 0x40_1480
    #expect(try drawing.walk() == [frames[0], frames[2]])
  }

  @Test("Signed pointers of 64-bit Arm are followed without their signature")
  func signed() throws {
    let drawing = try StackDrawing(
      .arm64, ["pc": 0x40_1500, "lr": 0x40_1400],
      """
      sp: fp:  @next
               0x00aa000000402000
      next:    0
               0x0055000000403000
      """)
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test("On 64-bit Arm the registers below a handler are found above its frame of unknown size")
  func signalOfArm() throws {
    // Locals of the handler that look like nothing, then what the kernel saved, from 312 bytes on.
    let saved = (0..<29).map { "0x\($0)" }
    var drawing = try StackDrawing(
      .arm64, ["pc": 0x40_1500, "lr": 0],
      """
      sp: fp:  @record   saved by the handler
               0x408000  the end of handlers
               77
               78
      \(Array(repeating: "0", count: 39).joined(separator: "\n"))
      \(saved.joined(separator: "\n"))
               @frame    x29
               0x12345   x30
               @inner    sp
               0x402000  pc: the instruction itself
      \(Array(repeating: "0", count: 64).joined(separator: "\n"))
      record:  @frame
               0x12345
      inner:   1
               2
      frame:   0
               0x403000
      """)
    drawing.code = [0x40_8000: [0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4]]
    #expect(
      try drawing.walk() == [
        "401500 context", "408000 frame_pointer exact", "402000 cfi exact", "403000 frame_pointer",
      ])
  }

  @Test("In a stub of 64-bit Arm the caller is in the link register", arguments: [true, false])
  func stubOfArm(isNamed: Bool) throws {
    var drawing = try StackDrawing(
      .arm64, ["pc": 0x40_0f00, "lr": 0x40_1510],
      """
      sp:   1
            2
      fp:   0
            0x403000   the caller's caller
      """)
    drawing.image.hasStarts = isNamed
    if !isNamed {
      // Of the function that called, and not of the stub.
      let lines = "STACK CFI INIT 1000 1000 .cfa: x29 16 + .ra: .cfa -8 + ^ x29: .cfa -16 + ^\n"
      try drawing.image.add(.stackLines(ByteView(lines.utf8)), .arm64)
    }
    #expect(
      try drawing.walk().prefix(3) == [
        "400f00 context", "401510 frame_pointer", "403000 \(isNamed ? "frame_pointer" : "cfi")",
      ])
  }
}
