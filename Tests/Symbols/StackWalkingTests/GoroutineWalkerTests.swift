import Identifiers
import Testing

@testable import StackWalking

@Suite("Walking from the stacks of Go's runtime to those of goroutines")
struct GoroutineWalkerTests {
  /// A thread that runs the runtime on its own stack for a goroutine.
  ///
  /// - Parameters:
  ///   - stackPointer: Where the goroutine continues: 0 once it runs again.
  ///   - thread: The goroutine's thread.
  ///   - rest: What follows the stack pointer, the program counter and the record's address.
  private static func drawing(
    _ registers: [String: UInt64] = ["rip": 0x40_1500], stackPointer: String = "@sp",
    thread: String = "@m", rest: String = "0\n0\n0\n@bp"
  ) throws -> StackDrawing {
    var drawing = try StackDrawing(
      .x86_64, registers,
      """
                @list     all goroutines
      rsp:      0x402100  return address into the function that changed the stack
                0x405000  how the thread began
                0
      top:      0
      list:     @g
      r14: g0:  @rsp      the bounds of the stack
                @top
                0
                0
                0
                0
                @m        the thread
                @rsp      where it goes on
                0x405000
                @g0
      signal:   @rsp
                @top
                0
                0
                0
                0
                @m
                \(Array(repeating: "0", count: 10).joined(separator: "\n"))
      m:        @g0       the thread's own
                @rsp
                0x405000
                @signal
                @g        the one that it runs
      g:        @low
                @end
                0
                0
                0
                0
                0
                \(thread)
                \(stackPointer)
                0x403100
                @g
      \(rest)
                @signal
      fs_base:  0
      low:      0
      sp:       0
                0x406000  an address that an earlier call left there
      bp:       0
                0x404000  return address
                0
      end:      0
      """)
    drawing.image.functionsOfGo = [
      0x40_1000..<0x40_2000: "runtime.throw", 0x40_2000..<0x40_3000: "runtime.systemstack",
      0x40_3000..<0x40_4000: "main.idle", 0x40_4000..<0x40_5000: "main.main",
    ]
    return drawing
  }

  private static let changed = ["401500 context", "402100 scan", "403100 cfi"]

  @Test(
    "The goroutine that the thread runs is found by the thread's own", arguments: [true, false])
  func register(hasRegister: Bool) throws {
    var drawing = try Self.drawing()
    if !hasRegister { drawing.registers["r14"] = 1 }
    let walked = try drawing.walk()
    #expect(walked == Self.changed + ["404000 frame_pointer"])
  }

  @Test("Newer releases have no result among the registers of a goroutine")
  func newer() throws {
    let drawing = try Self.drawing(rest: "0\n0\n@bp")
    let walked = try drawing.walk()
    #expect(walked == Self.changed + ["404000 frame_pointer"])
  }

  @Test(
    "A goroutine that runs again, one of another thread and the stack at hand are left alone",
    arguments: [("0", "@m"), ("@sp", "@signal"), ("@top", "@m")])
  func stale(_ stackPointer: String, _ thread: String) throws {
    let drawing = try Self.drawing(stackPointer: stackPointer, thread: thread)
    #expect(try drawing.walk().dropFirst(2).first == "405000 scan")
  }

  @Test("Only functions that change the stack lead to another")
  func others() throws {
    var drawing = try Self.drawing()
    drawing.image.functionsOfGo[0x40_2000..<0x40_3000] = "runtime.newproc1"
    #expect(try drawing.walk().dropFirst(2).first == "405000 scan")
    drawing.image.functionsOfGo = [:]
    #expect(try drawing.walk().dropFirst(2).first == "405000 scan")
  }

  @Test("For a deadlock the first of all goroutines is shown, which no thread runs")
  func deadlock() throws {
    var drawing = try Self.drawing(thread: "0")
    drawing.image.functionsOfGo[0x40_2000..<0x40_3000] = "runtime.checkdead"
    #expect(try drawing.walk().dropFirst(2).first == "405000 scan")
    drawing.image.variables["runtime.allgs"] = Address(StackDrawing.start)
    let walked = try drawing.walk()
    #expect(walked == Self.changed + ["404000 frame_pointer"])
  }

  @Test("A goroutine's stack is followed once")
  func once() throws {
    var drawing = try Self.drawing()
    drawing.image.functionsOfGo[0x40_3000..<0x40_5000] = "runtime.mcall"
    let walked = try drawing.walk()
    #expect(walked == Self.changed + ["404000 frame_pointer"])
  }

  @Test("Any damage to the records ends in a stack", arguments: 0..<60)
  func damage(_ index: Int) throws {
    var drawing = try Self.drawing()
    for value in [0, 1, UInt64.max, StackDrawing.start] {
      drawing.words[index % drawing.words.count] = value
      #expect(try drawing.walk().first == "401500 context")
    }
  }
}
