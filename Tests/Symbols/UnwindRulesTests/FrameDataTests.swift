import Bytes
import Identifiers
import ObjectFormats
import Testing
import UnwindRules

@Suite("Frame records of PDBs")
struct FrameDataTests {
  private static func words(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) } }
  }

  private static func text(_ streams: PDBFrameStreams) throws -> UnwindText {
    try UnwindText(.frameData(streams), UnwindTarget(architecture: .i386, addressSize: 4))
  }

  @Test("A record with a program gives the same as its STACK WIN line", arguments: [0, 4])
  func program(_ head: Int) throws {
    let program = "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + ="
    var streams = PDBFrameStreams()
    streams.names = ByteView([0] + Array(program.utf8) + [0])
    // Start, size, locals, parameters, stack, program; prologue 3 and 4 saved bytes.
    let record = Self.words(0x1000, 0x40, 8, 12, 0, 1, 3 | 4 << 16, 0)
    streams.frameData = ByteView([UInt8](repeating: 0, count: head) + record)
    let lines = "STACK WIN 4 1000 40 3 0 c 4 8 0 1 \(program)\n"
    #expect(try Self.text(streams)[0x1010] == StackLineTests.text(lines, .i386)[0x1010])
    #expect(try Self.text(streams)[0x1010]?.contains("ebp") == true)
  }

  @Test("An older record gives the frame of a function without a frame pointer")
  func frameless() throws {
    var streams = PDBFrameStreams()
    // Two words of locals, one of parameters, prologue 5, one saved register, the base pointer pushed.
    streams.frameless = ByteView(Self.words(0x2000, 0x20, 2, 1 | 5 << 16 | 1 << 24 | 1 << 28))
    let lines = "STACK WIN 0 2000 20 5 0 4 4 8 0 0 1\n"
    #expect(try Self.text(streams)[0x2010] == StackLineTests.text(lines, .i386)[0x2010])
    #expect(try Self.text(streams)[0x2010] != nil)
  }

  @Test("Records that are truncated, or name no program, are left out")
  func damage() throws {
    var streams = PDBFrameStreams()
    streams.frameData = ByteView(
      Self.words(0x1000, 0x40, 8, 12, 0, 99, 0, 0) + Self.words(0x3000, 0x10, 1))
    streams.frameless = ByteView(Self.words(0x2000, 0x20, .max, .max, 1))
    #expect(try Self.text(streams)[0x1010] == nil)
    #expect(try Self.text(streams)[0x2010] == nil)
  }
}
