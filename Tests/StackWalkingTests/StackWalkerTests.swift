import Bytes
import CrashModel
import StackWalking
import Testing
import UnwindRules

/// One image of 64 KiB at 0x40_0000 without rules; code stands where a test says.
private struct DrawnCode: WalkedCode {
  var functions: [Range<UInt64>] = [0x40_1000..<0x40_9000]

  func place(of address: Address) -> (image: Int, offset: UInt64)? {
    (0x40_0000..<0x41_0000).contains(address.value) ? (0, address.value - 0x40_0000) : nil
  }

  func rules(of image: Int) -> UnwindRules? { nil }

  func isCode(_ address: Address) -> Bool { functions.contains { $0.contains(address.value) } }
}

@Suite("Walking stacks")
struct StackWalkerTests {
  private static let stack: UInt64 = 0x7fff_0000

  /// A stack of 64-bit words from 0x7fff_0000 on.
  private func memory(_ words: [UInt64], size: Int = 8) -> ProcessMemory {
    var bytes: [UInt8] = []
    for word in words {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * index))) }
    }
    return ProcessMemory(
      [.init(start: Self.stack, bytes: ByteView(bytes))], addressSize: size, endianness: .little)
  }

  private func walk(
    _ words: [UInt64], _ architecture: Architecture, _ registers: [Register], size: Int = 8
  ) throws -> [String] {
    let walker = try #require(
      StackWalker(memory(words, size: size), architecture: architecture, isWindows: false))
    var code = DrawnCode()
    return try walker.walk(registers, in: &code).map {
      "\($0.address?.description ?? "?") \($0.trust.rawValue)"
    }
  }

  @Test("The chain of frame pointers is followed to its end")
  func chain() throws {
    let frames = try walk(
      [
        0,  // 7fff0000  a local: sp
        0x7fff_0020,  // 7fff0008  saved rbp: rbp
        0x40_2000,  // 7fff0010  return address
        0x40_7777,  // 7fff0018  an old return address
        0,  // 7fff0020  saved rbp of the first function
        0x40_3000,  // 7fff0028  return address
        1,
      ], .x86_64,
      [
        Register("rip", 0x40_1500), Register("rsp", Self.stack), Register("rbp", Self.stack + 8),
      ])
    #expect(
      frames == ["0x401500 context", "0x402000 frame_pointer", "0x403000 frame_pointer"])
  }

  @Test("Without a frame pointer, words that can be return addresses are found")
  func scan() throws {
    let frames = try walk(
      [
        12, 0x40_0010,  // in the image, but no function
        0x40_2000,  // return address
        5, 0x7fff_0000,
        0x40_3000,  // return address
        0,
      ], .x86_64,
      [Register("rip", 0x40_1500), Register("rsp", Self.stack), Register("rbp", 3)])
    #expect(frames == ["0x401500 context", "0x402000 scan", "0x403000 scan"])
  }

  @Test("A chain that leads down, or at itself, ends")
  func cycle() throws {
    let frames = try walk(
      [0x7fff_0000, 0x40_2000, 0, 0], .x86_64,
      [
        Register("rip", 0x40_1500), Register("rsp", Self.stack), Register("rbp", Self.stack),
      ])
    #expect(frames == ["0x401500 context", "0x402000 frame_pointer"])
  }

  @Test("Signed pointers of 64-bit Arm are followed without their signature")
  func signed() throws {
    let frames = try walk(
      [
        0x7fff_0010, 0x00aa_0000_0040_2000,  // fp, lr
        0, 0x0055_0000_0040_3000,
      ], .arm64,
      [
        Register("pc", 0x40_1500), Register("sp", Self.stack), Register("fp", Self.stack),
        Register("lr", 0x40_1400),
      ])
    #expect(
      frames == ["0x401500 context", "0x402000 frame_pointer", "0x403000 frame_pointer"])
  }

  @Test("A stack pointer into nowhere leaves the first frame")
  func nowhere() throws {
    for pointer in [0, 0x1234, UInt64.max, UInt64.max - 7] {
      let frames = try walk(
        [0], .x86_64,
        [Register("rip", 0x40_1500), Register("rsp", pointer), Register("rbp", pointer)]
      )
      #expect(frames == ["0x401500 context"])
    }
  }
}
