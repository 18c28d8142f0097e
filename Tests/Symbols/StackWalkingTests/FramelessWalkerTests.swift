import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of functions without a frame")
struct FramelessWalkerTests {
  @Test("After a call to null, the caller is on top of the stack, with its registers")
  func jumpToNull() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0],
      """
      rsp:    0x402000  return address of the call
              0x404444  a local of the caller
      rbp:    @first    the caller's
              0x403000  return address
      first:  0
              0
      """)
    #expect(
      try drawing.walk() == ["0 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test(
    "In the first and last instructions of a function the return address is on top",
    arguments: [
      (0, [0x55, 0x48, 0x89, 0xe5]), (0x20, [0xc3]), (0x20, [0xf3, 0xc3]), (0x20, [0xc2, 8, 0]),
    ] as [(UInt64, [UInt8])])
  func prologue(_ offset: UInt64, _ bytes: [UInt8]) throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1000 + offset],
      """
      rsp:    0x402000  return address
      rbp:    @first    the caller's
              0x403000  its return address
      first:  0
              0
      """)
    drawing.code = [0x40_1000 + offset: bytes + Array(repeating: 0x90, count: 8)]
    drawing.image.functions = [0x40_1000..<0x40_1800, 0x40_2000 - 8..<0x40_4000]
    drawing.image.hasStarts = true
    #expect(try drawing.walk().dropFirst() == ["402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test(
    "In a stub of the procedure linkage table, what it pushed lies on the return address",
    arguments: [
      (0, 0), (6, 0), (11, 1), (16, 1), (22, 2),
    ] as [(UInt64, Int)])
  func stub(_ offset: UInt64, _ pushed: Int) throws {
    let words = Array(repeating: "3", count: pushed) + ["0x402000", "0x403000", "0"]
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1000 + offset, "rsp": StackDrawing.start, "rbp": 1],
      words.joined(separator: "\n"))
    // jmp *slot; push 1; jmp first; first: push *word; jmp *word
    drawing.code[0x40_0ff0] =
      Array(repeating: 0xcc, count: 16) + [0xff, 0x25, 1, 2, 3, 4, 0x68, 1, 0, 0, 0]
      + [0xe9, 0, 0, 0, 0, 0xff, 0x35, 1, 2, 3, 4, 0xff, 0x25, 1, 2, 3, 4]
      + Array(repeating: 0xcc, count: 16)
    let frames = try drawing.walk()
    #expect(frames.dropFirst().first == "402000 frame_pointer")
  }
}
