import Bytes
import CrashModel
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks")
struct StackWalkerTests {
  // MARK: Frame pointers

  @Test("The chain of frame pointers is followed to its end")
  func chain() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:    0         a local
      rbp:    @first    saved rbp
              0x402000  return address
              0x407777  an old return address
      first:  0         saved rbp of the first function
              0x403000  return address
              0x404000  an old return address
      """)
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  @Test("A chain that leads down, or at itself, ends")
  func cycle() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  @rsp
                 0x402000
                 0
                 0
      """)
    #expect(try drawing.walk() == ["401500 context", "402000 frame_pointer"])
  }

  @Test("Zeros where the frame pointer points do not end a stack whose chain was not followed")
  func zeros() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:  5
            0x402000  return address
      rbp:  0
            0
      """)
    #expect(try drawing.walk() == ["401500 context", "402000 scan"])
  }

  @Test("A zero in the frame pointer ends a chain that was followed, not one that began with it")
  func chainOfOne() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  0         not a frame pointer: it is free for other use
                 0x402000  return address
                 5
                 0x403000  return address
      """)
    #expect(try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 scan"])
  }

  @Test("A frame pointer far away that leads to no other is not trusted")
  func farPointer() throws {
    let locals = Array(repeating: "0", count: 200).joined(separator: "\n")
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:  5
            0x402000  return address
      \(locals)
      rbp:  7
            0x403000  of a function further up
      """)
    #expect(try drawing.walk().prefix(2) == ["401500 context", "402000 scan"])
  }

  @Test("A frame pointer of 64-bit Windows may point into the frame")
  func pointerIntoFrame() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500], os: "Windows",
      """
      rsp:    0
      rbp:    3         locals
              4
              5
              6
              @next     saved rbp
              0x402000  return address
      next:   0
              0
      """)
    #expect(try drawing.walk() == ["401500 context", "402000 frame_pointer"])
  }

  @Test("A saved frame pointer that Swift marked is followed")
  func asyncFrame() throws {
    let drawing = try StackDrawing(
      .arm64, ["pc": 0x40_1500, "lr": 0],
      """
      sp: fp:  0x100000007fff0010  the next frame, marked
               0x402000            return address
               0
               0x403000            return address
      """)
    #expect(
      try drawing.walk() == ["401500 context", "402000 frame_pointer", "403000 frame_pointer"])
  }

  // MARK: Registers

  @Test("Callers have the registers that are known of them, in the order of the first frame's")
  func callersRegisters() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500, "rax": 1, "rbx": 2, "rbp": 0, "r12": 3],
      """
      rsp:  7         saved rbx
            0x402000  return address
            0x403000
      """)
    let lines = "STACK CFI INIT 1000 2000 .cfa: $rsp 16 + .ra: .cfa -8 + ^ $rbx: .cfa -16 + ^\n"
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    let frames = try drawing.stack().frames
    #expect(frames[0].registers.isEmpty)
    #expect(
      frames[1].registers == [
        Register("r12", 3), Register("rbp", 0), Register("rbx", 7), Register("rip", 0x40_2000),
        Register("rsp", StackDrawing.start + 16),
      ])
  }

  // MARK: Scanning

  @Test("Without a frame pointer, words that can be return addresses are found")
  func scan() throws {
    let drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500, "rbp": 3],
      """
      rsp:  12
            0x400010    in the image, but no function
            0x402000    return address
            5
            0x7fff0000
            0x403000    return address
            0
      """)
    #expect(try drawing.walk() == ["401500 context", "402000 scan", "403000 scan"])
  }

  @Test(
    "Where code is at hand, a word counts only after a call",
    arguments: [
      [0xe8, 1, 2, 3, 4], [0xff, 0xd0], [0x41, 0xff, 0xd4], [0xff, 0x10], [0xff, 0x50, 8],
      [0xff, 0x14, 0x24], [0xff, 0x54, 0x24, 8], [0xff, 0x90, 1, 2, 3, 4],
      [0xff, 0x94, 0x24, 1, 2, 3, 4], [0xff, 0x15, 1, 2, 3, 4], [0xff, 0x14, 0x25, 1, 2, 3, 4],
    ] as [[UInt8]])
  func call(_ instruction: [UInt8]) throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500, "rbp": 3],
      """
      rsp:  0x402000  left over: no call before it
            0x403000  return address
            0
      """)
    drawing.code = [
      0x40_1ff0: Array(repeating: 0x90, count: 16),
      0x40_2ff0: Array(repeating: 0x90, count: 16 - instruction.count) + instruction,
    ]
    #expect(try drawing.walk() == ["401500 context", "403000 scan"])
  }

  @Test("A stack pointer into nowhere leaves the first frame")
  func nowhere() throws {
    for pointer in [0, 0x1234, UInt64.max, UInt64.max - 7] {
      let drawing = try StackDrawing(
        .x86_64, ["rip": 0x40_1500, "rsp": pointer, "rbp": pointer], "0")
      #expect(try drawing.walk() == ["401500 context"])
    }
  }

  // MARK: Rules

  @Test("Rules come before frame pointers, and end the stack where they say so")
  func rules() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  @other    no frame pointer
                 0x402000  return address
                 7         a local
                 0x403000  return address
      other:     0
                 0x404000
      """)
    try drawing.image.add(
      .stackLines(
        ByteView(
          """
          STACK CFI INIT 1000 1000 .cfa: $rsp 16 + .ra: .cfa -8 + ^
          STACK CFI INIT 2000 1000 .cfa: $rsp 16 + .ra: .cfa -8 + ^
          STACK CFI INIT 2fff 1000 .cfa: $rsp 8 + .ra: .undef

          """.utf8)), .x86_64)
    #expect(try drawing.walk() == ["401500 context", "402000 cfi", "403000 cfi"])
  }

  @Test("Rules that lead down or to themselves end, and do not repeat")
  func loopingRules() throws {
    for cfa in ["$rsp", "$rsp 16 -", "$rbp", "$rsp ^"] {
      var drawing = try StackDrawing(
        .x86_64, ["rip": 0x40_1500, "rbp": StackDrawing.start],
        """
        rsp:  @rsp
              0
        """)
      try drawing.image.add(
        .stackLines(
          ByteView("STACK CFI INIT 1000 8000 .cfa: \(cfa) .ra: $rip\n".utf8)), .x86_64)
      #expect(try drawing.walk() == ["401500 context"])
    }
  }

  @Test("A file of an image whose rules do not name the function leaves it to the next")
  func secondFile() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500, "rbp": 0],
      """
      rsp:  0x404444  not an address to return to
            0x402000  return address
      """)
    for start in ["7000", "1000"] {
      let lines = "STACK CFI INIT \(start) 1000 .cfa: $rsp 16 + .ra: .cfa -8 + ^\n"
      try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    }
    #expect(try drawing.walk() == ["401500 context", "402000 cfi"])
  }

  @Test("The bytes of parameters are those of the function below")
  func parameters() throws {
    var drawing = try StackDrawing(
      .i386, ["eip": 0x40_1500, "ebp": 0],
      """
      esp:  0x402000  return address
            1         two parameters, which the function takes off
            2
            0x403000  return address of the caller
            0
      """)
    try drawing.image.add(
      .stackLines(
        ByteView(
          """
          STACK WIN 4 1000 1000 0 0 8 0 0 0 1 $eip .raSearch ^ = $esp .raSearch 4 + =
          STACK WIN 4 2000 1000 0 0 0 0 0 0 1 $eip .raSearch ^ = $esp .raSearch 4 + =

          """.utf8)), .i386)
    #expect(try drawing.walk().prefix(3) == ["401500 context", "402000 cfi", "403000 cfi"])
  }

  @Test("A return address that is not where rules of 32-bit Windows expect it is searched for")
  func searched() throws {
    var drawing = try StackDrawing(
      .i386, ["eip": 0x40_1500, "ebp": 0],
      """
      esp:  5         pushed for a call
            6
            0x402000  return address
            0
      """)
    try drawing.image.add(
      .stackLines(
        ByteView(
          "STACK WIN 4 1000 1000 0 0 0 0 0 0 1 $eip .raSearch ^ = $esp .raSearch 4 + =\n".utf8)),
      .i386)
    #expect(try drawing.walk().prefix(2) == ["401500 context", "402000 cfi"])
  }

  // MARK: Signals

  @Test("Below a signal handler's end the registers are those that the signal interrupted")
  func signal() throws {
    // The kernel's structure after the return address: 40 bytes, then the registers.
    let saved =
      [8, 9, 10, 11, 12, 13, 14, 15, 5, 4].map { "0x\($0)" } + ["@frame", "3", "1", "0", "2"]
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:    0
      rbp:    @frame    saved by the handler
              0x408000  the end of handlers
      \(Array(repeating: "0", count: 5).joined(separator: "\n"))
      \(saved.joined(separator: "\n"))
              @inner    rsp
              0x402000  rip: the instruction itself
      inner:  1
      frame:  0
              0x403000
      """)
    drawing.code = [0x40_8000: [0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05]]
    let frames = [
      "401500 context", "408000 frame_pointer exact", "402000 cfi exact", "403000 frame_pointer",
    ]
    #expect(try drawing.walk() == frames)
    // Rules as those of any function, without a mark, as Go has them.
    let lines = "STACK CFI INIT 8000 9 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    #expect(try drawing.walk() == frames)
  }

  @Test("Rules that are marked as those of a signal frame are looked up at its first instruction")
  func signalRules() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp:    0
      rbp:    @frame    saved by the handler
              0x408000  the end of handlers
      \(Array(repeating: "0", count: 15).joined(separator: "\n"))
      frame:  0
              0
              0
              0
              0
              @inner    rsp
              0x402000  rip
      inner:  1
              0
      """)
    // CIE "zRS": CFA = *(rsp + 160), rip at rsp + 168; one function from 0x8000 on.
    let entry: [UInt8] =
      [28, 0, 0, 0, 0, 0, 0, 0, 1, 0x7a, 0x52, 0x53, 0, 1, 0x78, 16, 1, 0]
      + [0x0f, 4, 0x77, 0xa0, 1, 6, 0x10, 16, 3, 0x77, 0xa8, 1, 0, 0]
    let function: [UInt8] =
      [28, 0, 0, 0, 36, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]
      + Array(repeating: 0, count: 7)
    try drawing.image.add(
      .callFrames(ByteView(entry + function + [0, 0, 0, 0]), isEHFrame: true), .x86_64)
    #expect(
      try drawing.walk().prefix(3) == [
        "401500 context", "408000 frame_pointer exact", "402000 cfi exact",
      ])
  }

  // MARK: Limits

  @Test("For a stack that overflows, the youngest and the oldest frames are given")
  func overflow() throws {
    var drawing = try StackDrawing(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  0
      """)
    drawing.words = (0..<100_000).flatMap { index -> [UInt64] in
      [StackDrawing.start + UInt64(index + 1) * 16, index < 99_990 ? 0x40_2000 : 0x40_3000]
    }
    drawing.words += [0, 0]
    let stack = try drawing.stack()
    #expect(stack.frames.count == 4096)
    #expect(stack.frames.count + stack.omitted == 100_001)
    #expect(stack.frames.last?.address == Address(0x40_3000))
    #expect(stack.frames[4000].address == Address(0x40_2000))
    #expect(!stack.isCut)
  }

  @Test("An exhausted budget ends the stack")
  func budget() throws {
    var drawing = try StackDrawing(.x86_64, ["rip": 0x40_1500], "rsp: rbp: 0")
    drawing.words = (0..<1000).flatMap { index -> [UInt64] in
      [StackDrawing.start + UInt64(index + 1) * 16, 0x40_2000]
    }
    drawing.budget = WalkBudget(frames: 1000, steps: 100)
    let stack = try drawing.stack()
    #expect(stack.isCut)
    #expect(stack.frames.count == 101)
  }
}
