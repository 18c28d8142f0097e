import Bytes
import Identifiers
import Testing
import UnwindRules

@testable import StackWalking

@Suite("Walking stacks of suspended functions")
struct WaitingWalkerTests {
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
}
