import Bytes
import CrashModel
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks through libraries without files")
struct LibraryWalkerTests {
  /// A program's function at 0x2000, called by one at 0x3000 and with a frame pointer, that calls a library.
  private func program(_ drawing: inout StackDrawing) throws {
    drawing.image.library = 0x7000_0000..<0x7001_0000
    drawing.image.functions = [0x40_2000..<0x40_2800, 0x40_2800..<0x40_3000, 0x40_3000..<0x40_4000]
    drawing.image.hasStarts = true
    let lines = """
      STACK CFI INIT 2000 800 .cfa: $rbp 16 + .ra: .cfa -8 + ^ $rbp: .cfa -16 + ^
      STACK CFI INIT 2800 800 .cfa: $rsp 16 + .ra: .cfa -8 + ^
      STACK CFI INIT 3000 1000 .cfa: $rsp 8 + .ra: .undef

      """
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    // The call of the library, another function's, and the call of 0x2000 at 0x3100.
    let target = UInt32(bitPattern: 0x2000 - 0x3100)
    drawing.code = [
      0x40_2100 - 7: [0x90, 0x90, 0xe8, 1, 2, 3, 4],
      0x40_2900 - 7: [0x90, 0x90, 0xe8, 1, 2, 3, 4],
      0x40_3100 - 7: [0x90, 0x90, 0xe8]
        + (0..<4).map { UInt8(truncatingIfNeeded: target >> (8 * $0)) },
    ]
  }

  @Test("The function that called a library is found below the frame that its pointer leads to")
  func keptPointer() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x7000_1000],
      """
      rsp:    7           the library's
              0x70002000  maybe an address of the library
              0x402100    return address of the library
              5           a local of the program
      rbp:    @main       the program's
              0x403100    return address
              1
      main:   0
              0x404000
      """)
    try program(&drawing)
    #expect(try drawing.walk() == ["70001000 context", "402100 scan", "403100 cfi"])
    // Elsewhere libraries keep the chain.
    drawing.os = "macOS"
    #expect(try drawing.walk().dropFirst().first == "403100 frame_pointer")
  }

  @Test("A frame pointer that the library saved is taken from the stack")
  func savedPointer() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x7000_1000, "rbp": 12],
      """
      rsp:    7
              @own        saved by the library
              3           another register
              0x402100    return address of the library
              5
      own:    @main
              0x403100
              1
      main:   0
      """)
    try program(&drawing)
    #expect(try drawing.walk() == ["70001000 context", "402100 scan", "403100 cfi"])
  }

  @Test(
    "An address that an earlier call left is passed where the call before the next is of another function"
  )
  func stale() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x7000_1000],
      """
      rsp:    0x402900    left by an earlier call
              0x402100    return address of the library
              0x403100    left by an earlier call, too: that of 0x402000
              5
      rbp:    @main
              0x403100
              1
      main:   0
      """)
    try program(&drawing)
    #expect(try drawing.walk() == ["70001000 context", "402100 scan", "403100 cfi"])
  }

  @Test("Nothing is accepted that no rules confirm: the chain of frame pointers stays")
  func unconfirmed() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x7000_1000],
      """
      rsp:    0x402900    its rules lead to no return address
              0
      rbp:    @main
              0x403100
              1
      main:   0
      """)
    try program(&drawing)
    #expect(try drawing.walk() == ["70001000 context", "403100 frame_pointer"])
  }

  @Test(
    "The end of a handler is known by the registers that the kernel saved, where its code is not at hand"
  )
  func signal() throws {
    let words =
      Array(repeating: "0", count: 5) + ["8", "9", "10", "11", "12", "13", "14", "15", "5", "4"]
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_2900],
      """
      rsp:    0
              0x70002000  the end of handlers
      \(words.joined(separator: "\n"))
      @frame
      3
      1
      0
      2
              @inner      rsp
              0x402200    rip
              0x246
              0x2b000000000033
      inner:  1
      frame:  @main
              0x403100
              1
      main:   0
      """)
    try program(&drawing)
    let frames = ["402900 context", "70002000 cfi exact", "402200 cfi exact", "403100 cfi"]
    #expect(try drawing.walk() == frames)
    // Other segments are not registers.
    drawing.words = drawing.words.map { $0 == 0x2b_0000_0000_0033 ? 0x34 : $0 }
    #expect(try drawing.walk() != frames)
  }

  // MARK: Memory that cannot be executed

  @Test("Neither rules nor frame pointers lead to memory that cannot be executed")
  func data() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  @other
                 0x405000  overwritten
      other:     0
                 0x402100
      """)
    let lines = "STACK CFI INIT 1000 1000 .cfa: $rsp 16 + .ra: .cfa -8 + ^\n"
    drawing.mappings = [
      MemoryMapping(start: 0x40_0000, end: 0x40_5000, protection: [.read, .execute]),
      MemoryMapping(start: 0x40_5000, end: 0x41_0000, protection: [.read, .write]),
    ]
    // One byte before the data is code.
    drawing.words[1] = 0x40_5001
    #expect(try drawing.walk() == ["401500 context", "402100 scan"])
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    #expect(try drawing.walk() == ["401500 context", "402100 scan"])
    drawing.mappings = []
    #expect(try drawing.walk().dropFirst().first == "405001 cfi")
  }

  @Test("A call into the data of an image leaves its return address on top of the stack")
  func calledData() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_9100],
      """
      rsp:    0x402100  return address of the call
              5
      rbp:    @main
              0x403100
      main:   0
              0
      """)
    drawing.mappings = [
      MemoryMapping(start: 0x40_0000, end: 0x40_9000, protection: [.read, .execute]),
      MemoryMapping(start: 0x40_9000, end: 0x41_0000, protection: [.read, .write]),
    ]
    #expect(
      try drawing.walk() == ["409100 context", "402100 frame_pointer", "403100 frame_pointer"])
  }

  @Test("An address that follows no call, where rules begin, is that of the instruction itself")
  func injected() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:    0
              0x402000  put onto the stack by the runtime
              0x403100
              0
      """)
    let lines = """
      STACK CFI INIT 1000 800 .cfa: $rsp 16 + .ra: .cfa -8 + ^
      STACK CFI INIT 2000 800 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI INIT 3000 1000 .cfa: $rsp 8 + .ra: .undef

      """
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    drawing.code[0x40_2000 - 7] = Array(repeating: 0xcc, count: 7)
    #expect(try drawing.walk() == ["401500 context", "402000 cfi exact", "403100 cfi"])
    // After a call it is a return address, of a function that does not return.
    drawing.code[0x40_2000 - 7] = [0x90, 0x90, 0xe8, 0, 0, 0, 0]
    #expect(try drawing.walk().dropFirst().first == "402000 cfi")
  }
}
