import Bytes
import Identifiers
import Testing
import UnwindRules

@Suite("Compact unwind information")
struct CompactUnwindTests {
  static let x86 = UnwindTarget(architecture: .x86_64)
  static let arm64 = UnwindTarget(architecture: .arm64)
  static let i386 = UnwindTarget(architecture: .i386, addressSize: 4)

  private static func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// A regular page with one function at 0x100, another without rules at 0x200.
  static func text(
    _ encoding: UInt32, _ target: UnwindTarget, code: [UInt8] = []
  ) throws -> UnwindText {
    let section = words([
      1, 28, 0, 28, 0, 28, 2, 0x100, 52, 0, 0x300, 0, 0, 2, 2 << 16 | 8, 0x100, encoding, 0x200, 0,
    ])
    return try UnwindText(.compact(ByteView(section), code: ByteView(code)), target)
  }

  @Test(
    "x86_64",
    arguments: [
      (0x0100_0000, "rbp+16 rbp=c-16 ra=c-8"),
      // As compilers write it for rbx, r14 and r15 below the frame pointer.
      (0x0103_0161, "rbp+16 rbx=c-40 rbp=c-16 r14=c-32 r15=c-24 ra=c-8"),
      (0x0201_0000, "rsp+8 ra=c-8"),
      (0x0203_0400, "rsp+24 rbx=c-16 ra=c-8"),
      // Six registers, in the first of their orders.
      (0x0207_1800, "rsp+56 rbx=c-56 rbp=c-16 r12=c-48 r13=c-40 r14=c-32 r15=c-24 ra=c-8"),
      // And in the last one.
      (0x0207_1acf, "rsp+56 rbx=c-16 rbp=c-56 r12=c-24 r13=c-32 r14=c-40 r15=c-48 ra=c-8"),
      (0x8103_0161, "rbp+16 rbx=c-40 rbp=c-16 r14=c-32 r15=c-24 ra=c-8"),
    ] as [(UInt32, String)])
  func x86_64(encoding: UInt32, row: String) throws {
    let text = try Self.text(encoding, Self.x86)
    #expect(text.lines == ["0x100 \(row) at-calls", "0x200 -"])
  }

  @Test("The size of a large frame is in the code")
  func indirect() throws {
    // subq $0x1228, %rsp at 6; two words are pushed besides, and the return address.
    var code = [UInt8](repeating: 0x90, count: 0x100)
    code += [0x55, 0x53, 0x90, 0x48, 0x81, 0xec, 0x28, 0x12, 0, 0]
    let text = try Self.text(0x0306_6804, Self.x86, code: code)
    #expect(text.lines == ["0x100 rsp+4672 rbx=c-24 rbp=c-16 ra=c-8 at-calls", "0x200 -"])
    let without = try Self.text(0x0306_6804, Self.x86)
    #expect(without.lines.isEmpty && without.rules.notes.count == 1)
  }

  @Test(
    "arm64",
    arguments: [
      (0x0400_0000, "x29+16 x29=c-16 ra=c-8"),
      (0x0400_0003, "x29+16 x19=c-24 x20=c-32 x21=c-40 x22=c-48 x29=c-16 ra=c-8"),
      (0x0400_0101, "x29+16 x19=c-24 x20=c-32 x29=c-16 ra=c-8 v8=c-40 v9=c-48"),
      (0x0200_3000, "sp+48"),
      (0x0200_2001, "sp+32 x19=c-8 x20=c-16"),
    ] as [(UInt32, String)])
  func arm64(encoding: UInt32, row: String) throws {
    #expect(
      try Self.text(encoding, Self.arm64).lines == ["0x100 \(row) at-calls", "0x200 -"])
  }

  @Test(
    "32-bit x86",
    arguments: [
      (0x0100_0000, "ebp+8 ebp=c-8 ra=c-4"), (0x0202_0400, "esp+8 ebx=c-8 ra=c-4"),
    ] as [(UInt32, String)])
  func i386(encoding: UInt32, row: String) throws {
    #expect(try Self.text(encoding, Self.i386).lines == ["0x100 \(row) at-calls", "0x200 -"])
  }

  @Test(
    "Functions in __eh_frame are left to it, and 0 means no rules", arguments: [0, 0x0400_0010])
  func elsewhere(encoding: UInt32) throws {
    let text = try Self.text(encoding, Self.x86)
    #expect(text.lines.isEmpty && text.rules.notes.isEmpty)
  }

  @Test("Compressed pages take encodings from both tables")
  func compressed() throws {
    let section = Self.words([
      1, 28, 1, 32, 0, 32, 2, 0x0100_0000, 0x1000, 56, 0, 0x2000, 0, 0,
      3, 3 << 16 | 12, 1 << 16 | 24, 0x0000_0000, 0x0100_0040, 0x0000_0080, 0x0201_0000,
    ])
    let text = try UnwindText(.compact(ByteView(section), code: .empty), Self.x86)
    #expect(
      text.lines == [
        "0x1000 rbp+16 rbp=c-16 ra=c-8 at-calls", "0x1040 rsp+8 ra=c-8 at-calls",
        "0x1080 rbp+16 rbp=c-16 ra=c-8 at-calls", "0x2000 -",
      ])
  }
}
