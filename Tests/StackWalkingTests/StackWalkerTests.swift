import Bytes
import CrashModel
@testable import StackWalking
import Testing
import UnwindRules

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

  @Test("A frame pointer far away that leads to no other is not believed")
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

  // MARK: Functions that wait

  /// A function of Swift that crashed, called by one that can wait at 0x402000, for which others wait at
  /// 0x404000 and 0x405000.
  private static func waiting(
    _ architecture: Architecture, _ registers: [String: UInt64], os: String = "Linux",
    _ drawing: String
  ) throws -> StackDrawing {
    var drawing = try StackDrawing(architecture, registers, os: os, drawing)
    drawing.image.functions = [
      0x40_1000..<0x40_2000, 0x40_2000..<0x40_3000, 0x40_3000..<0x40_4000, 0x40_4000..<0x40_5000,
      0x40_5000..<0x40_6000,
    ]
    drawing.image.hasStarts = true
    drawing.image.isOfSwift = true
    return drawing
  }

  private static let contexts = """
    inner:   @outer
             0x404000
    outer:   0
             0x405000
    """

  private static let waiters = ["404000 async_context exact", "405000 async_context exact"]

  @Test(
    "The functions that wait for one of Swift follow it, by the context below its frame pointer")
  func contexts() throws {
    var drawing = try Self.waiting(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  @frame    saved by the function that crashed
                 0x402100
                 @inner    the context
      frame:     0
                 0x403000  of the executor
      \(Self.contexts)
      """)
    let frames = ["401500 context", "402100 frame_pointer"]
    #expect(try drawing.walk() == frames + ["403000 frame_pointer"])
    // push rbp; push r14; lea rbp, [rsp + 8]
    drawing.code = [0x40_2000: [0x55, 0x41, 0x56, 0x48, 0x8d, 0x6c, 0x24, 8]]
    #expect(try drawing.walk() == frames + Self.waiters)
    // What the function returned to has not left its own context yet.
    drawing.registers["rip"] = 0x40_2004
    drawing.registers["r14"] = StackDrawing.start + 40
    #expect(try drawing.walk() == ["402004 context"] + Self.waiters)
  }

  @Test("A function of 64-bit Arm saves its context beside the frame pointer")
  func armContexts() throws {
    var drawing = try Self.waiting(
      .arm64, ["pc": 0x40_1500, "lr": 0x40_1510],
      """
      sp: fp:  @frame
               0x402100
               @inner
      frame:   0
               0x403000
      \(Self.contexts)
      """)
    // sub sp, sp, 32; stp x29, x30, [sp, 16]; str x22, [sp, 8]
    let words: [UInt32] = [0xd100_83ff, 0xa901_7bfd, 0xf900_07f6]
    drawing.code = [
      0x40_2000: words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
    ]
    #expect(try drawing.walk() == ["401500 context", "402100 frame_pointer"] + Self.waiters)
  }

  @Test("On Apple's systems a bit of the saved frame pointer marks a frame with a context")
  func markedContexts() throws {
    var drawing = try Self.waiting(
      .arm64, ["pc": 0x40_1500, "lr": 0x40_1510], os: "macOS",
      """
      sp: fp:  @frame
               0x402100
               @inner
      frame:   0x100000007fff0000  marked
               0x403000
      \(Self.contexts)
      """)
    drawing.words[3] = 1 << 60 | StackDrawing.start + 56
    drawing.image.isOfSwift = false
    #expect(try drawing.walk() == ["401500 context", "402100 frame_pointer"] + Self.waiters)
  }

  @Test("A function without such a frame has its context in a register")
  func contextInRegister() throws {
    var drawing = try Self.waiting(
      .x86_64, ["rip": 0x40_1500, "rbp": 0],
      """
      rsp:       0x402100
                 0x403000  of the executor
      \(Self.contexts)
      """)
    drawing.registers["r14"] = drawing.registers["inner"]
    let lines = "STACK CFI INIT 1000 2000 .cfa: $rsp 8 + .ra: .cfa -8 + ^\n"
    try drawing.image.add(.stackLines(ByteView(lines.utf8)), .x86_64)
    #expect(try drawing.walk().prefix(3) == ["401500 context", "402100 cfi", "403000 cfi"])
    drawing.image.resumptions = [0x40_2000]
    #expect(try drawing.walk() == ["401500 context", "402100 cfi"] + Self.waiters)
  }

  @Test("Contexts in a circle end, and one that leads to no function is not followed")
  func damagedContexts() throws {
    var drawing = try Self.waiting(
      .x86_64, ["rip": 0x40_1500],
      """
      rsp: rbp:  @frame
                 0x402100
                 @inner
      frame:     0
                 0x403000
      inner:     @inner
                 0x404000
      """)
    drawing.code = [0x40_2000: [0x55, 0x41, 0x56, 0x48, 0x8d, 0x6c, 0x24, 8]]
    let frames = ["401500 context", "402100 frame_pointer"]
    #expect(try drawing.walk() == frames + [Self.waiters[0]])
    drawing.words[6] = 0x40_4008
    #expect(try drawing.walk() == frames + ["403000 frame_pointer"])
  }

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

  // MARK: Functions without a frame

  @Test("After a call to null the caller is on top of the stack, with its registers")
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

  @Test("Stacks of MIPS are walked by rules, else by the words after a call and its slot")
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

  @Test("Functions of RISC-V without rules are left by what their first instructions kept")
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

  @Test("Of a stack that overflows, the youngest and the oldest frames are given")
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

  @Test("A budget that is spent ends the stack")
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
