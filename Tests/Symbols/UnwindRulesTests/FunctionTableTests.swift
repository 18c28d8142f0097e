import Bytes
import Identifiers
import Testing
import UnwindRules

@Suite("Function tables of Windows")
struct FunctionTableTests {
  /// An image whose table is at its start, with its unwind information at 0x100.
  static func text(
    _ table: [UInt32], _ info: [UInt8], _ architecture: Architecture = .x86_64
  ) throws -> UnwindText {
    let table = table.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    let filler = [UInt8](repeating: 0, count: 0x100 - table.count)
    return try UnwindText(
      .functionTable(ByteView(table), image: ByteView(table + filler + info)),
      UnwindTarget(architecture: architecture))
  }

  @Test(
    "x64: each step of the prologue has its row",
    arguments: [
      ([1, 0, 0, 0], ["0x1000 rsp+8 ra=c-8"]),
      // push rbp; push rbx; sub rsp, 40
      (
        [1, 6, 3, 0, 6, 0x42, 2, 0x30, 1, 0x50, 0, 0],
        [
          "0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 rbp=c-16 ra=c-8",
          "0x1002 rsp+24 rbx=c-24 rbp=c-16 ra=c-8", "0x1006 rsp+64 rbx=c-24 rbp=c-16 ra=c-8",
        ]
      ),
      // mov [rsp+8], rbx (told at the end of the prologue); push rdi; sub rsp, 0x20
      (
        [1, 10, 4, 0, 10, 0x34, 6, 0, 10, 0x32, 6, 0x70],
        [
          "0x1000 rsp+8 ra=c-8", "0x1006 rsp+16 rdi=c-16 ra=c-8",
          "0x100a rsp+48 rbx=c+0 rdi=c-16 ra=c-8",
        ]
      ),
      // push rbp; sub rsp, 0x80; lea rbp, [rsp+0x20]; movaps [rbp+0x10], xmm6
      (
        [
          1, 20, 6, 0x25, 20, 0x68, 3, 0, 13, 0x03, 8, 0x01, 16, 0, 1, 0x50,
        ],
        [
          "0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 rbp=c-16 ra=c-8",
          "0x1008 rsp+144 rbp=c-16 ra=c-8", "0x100d rbp+112 rbp=c-16 ra=c-8",
          "0x1014 rbp+112 rbp=c-16 ra=c-8 xmm6=c-96",
        ]
      ),
      // sub rsp, 0x12345678
      (
        [1, 7, 3, 0, 7, 0x11, 0x78, 0x56, 0x34, 0x12, 0, 0],
        ["0x1000 rsp+8 ra=c-8", "0x1007 rsp+305419904 ra=c-8"]
      ),
      // An interrupt with an error code; push rax
      (
        [1, 1, 2, 0, 1, 0x00, 0, 0x1a],
        [
          "0x1000 rsp+48 rsp=c-16 ra=c-40 signal",
          "0x1001 rsp+56 rax=c-56 rsp=c-16 ra=c-40 signal",
        ]
      ),
    ] as [([UInt8], [String])])
  func x64(info: [UInt8], rows: [String]) throws {
    let text = try Self.text([0x1000, 0x1040, 0x100], info)
    #expect(text.lines == rows + ["0x1040 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test("x64: a part of a function continues with the rules of the whole")
  func chained() throws {
    // The part saves rsi in its frame; the whole pushed rbx and made room.
    let part: [UInt8] =
      [0x21, 5, 2, 0, 5, 0x64, 8, 0] + [0, 0x20, 0, 0, 0x40, 0x20, 0, 0, 0x18, 1, 0, 0]
    let whole: [UInt8] = [0, 0, 0, 0] + [1, 5, 2, 0, 5, 0x82, 1, 0x30]
    let text = try Self.text([0x1000, 0x1040, 0x100], part + whole)
    #expect(
      text.lines == [
        "0x1000 rsp+88 rbx=c-16 ra=c-8", "0x1005 rsp+88 rbx=c-16 rsi=c-24 ra=c-8", "0x1040 -",
      ])
  }

  @Test("x64: version 2 lists where epilogues are")
  func epilogues() throws {
    // push rbp; push r12; sub rsp, 32: an epilogue of pop r12, pop rbp, ret at the end and one before.
    let info: [UInt8] = [
      2, 7, 5, 0, 4, 0x16, 0x14, 0x06, 7, 0x32, 3, 0xc0, 1, 0x50, 0, 0,
    ]
    let text = try Self.text([0x1000, 0x1040, 0x100], info)
    let body = "rsp+56 rbp=c-16 r12=c-24 ra=c-8"
    let epilogue = ["rsp+24 rbp=c-16 r12=c-24 ra=c-8", "rsp+16 rbp=c-16 ra=c-8", "rsp+8 ra=c-8"]
    #expect(
      text.lines == [
        "0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 rbp=c-16 ra=c-8",
        "0x1003 rsp+24 rbp=c-16 r12=c-24 ra=c-8", "0x1007 \(body)",
        "0x102c \(epilogue[0])", "0x102e \(epilogue[1])", "0x102f \(epilogue[2])",
        "0x1030 \(body)",
        "0x103c \(epilogue[0])", "0x103e \(epilogue[1])", "0x103f \(epilogue[2])", "0x1040 -",
      ])
  }

  @Test("x64: circular unwind information ends")
  func circle() throws {
    let info: [UInt8] = [0x21, 0, 0, 0, 0, 0x10, 0, 0, 0x40, 0x10, 0, 0, 0, 1, 0, 0]
    let text = try Self.text([0x1000, 0x1040, 0x100], info)
    #expect(text.lines.isEmpty && text.rules.notes.count == 1)
  }

  /// The examples of Microsoft's description; registers saved by packed words as LLVM prints them.
  @Test(
    "arm64: packed frames",
    arguments: [
      // 492 bytes, x19, chained, a frame of 2080.
      (
        0x4161_01ed,
        [
          "0x1000 sp+0", "0x1004 sp+16 x19=c-16", "0x1008 sp+2080 x19=c-16",
          "0x100c sp+2080 x19=c-16 x29=c-2080 ra=c-2072",
          "0x1010 x29+2080 x19=c-16 x29=c-2080 ra=c-2072",
          "0x11dc sp+2080 x19=c-16 x29=c-2080 ra=c-2072", "0x11e0 sp+2080 x19=c-16",
          "0x11e4 sp+16 x19=c-16", "0x11e8 sp+0", "0x11ec -",
        ]
      ),
      // 64 bytes, d8 and d9 alone, a frame of 16 bytes.
      (
        0x0080_2041,
        [
          "0x1000 sp+0", "0x1004 sp+16 v8=c-16 v9=c-8", "0x103c sp+0", "0x1040 -",
        ]
      ),
      // 64 bytes, lr alone, a frame of 16 bytes.
      (
        0x00a0_0041,
        ["0x1000 sp+0", "0x1004 sp+16 ra=c-16", "0x103c sp+0", "0x1040 -"]
      ),
      // The same without prologue and epilogue.
      (0x00a0_0042, ["0x1000 sp+16 ra=c-16", "0x1040 -"]),
    ] as [(UInt32, [String])])
  func packed(word: UInt32, rows: [String]) throws {
    let text = try Self.text([0x1000, word], [], .arm64)
    #expect(text.lines == rows)
    #expect(text.rules.notes.isEmpty)
  }

  @Test("arm64: full unwind information, with an epilogue that shares the codes")
  func full() throws {
    // 244 bytes; the epilogue begins at 0xe0: set_fp, save_fplr_x, save_r19r20_x, end.
    let info: [UInt8] =
      [0x3d, 0, 0x40, 0x10, 0x38, 0, 0, 0] + [0xe1, 0x91, 0x22, 0xe4, 0xe1, 0x91, 0x22, 0xe4]
    let text = try Self.text([0x1000, 0x100], info, .arm64)
    let saved = "x19=c-16 x20=c-8"
    let frame = "\(saved) x29=c-160 ra=c-152"
    #expect(
      text.lines == [
        "0x1000 sp+0", "0x1004 sp+16 \(saved)", "0x1008 sp+160 x19=c-16 x20=c-8 x29=c-160 ra=c-152",
        "0x100c x29+160 \(frame)", "0x10e4 sp+160 \(frame)", "0x10e8 sp+16 \(saved)",
        "0x10ec sp+0", "0x10f0 x29+160 \(frame)", "0x10f4 -",
      ])
  }

  @Test("arm64: parameters are stored, lr is saved beside x19, an epilogue joins in the middle")
  func variadic() throws {
    let info: [UInt8] =
      [0x12, 0, 0x40, 0x18, 0x0f, 0, 0, 0x01] + [0xe3, 0xe3, 0xe3, 0xe3, 0xd6, 0, 0x05, 0xe4]
      + [0xd6, 0, 0x05, 0xe4]
    let text = try Self.text([0x1000, 0x100], info, .arm64)
    #expect(
      text.lines == [
        "0x1000 sp+0", "0x1004 sp+80", "0x1008 sp+80 x19=c-80 ra=c-72", "0x1040 sp+80",
        "0x1044 sp+0", "0x1048 -",
      ])
  }

  @Test("arm64: pairs follow pairs, d8 after x28")
  func saveNext() throws {
    // save_next, save_next, save_regp_x x25 (4 words): x25-x28, d8, d9 from the stack pointer on.
    let info: [UInt8] = [0x10, 0, 0, 0x08] + [0xe6, 0xe6, 0xcd, 0x85]
    let text = try Self.text([0x1000, 0x100], info, .arm64)
    #expect(
      text[0x103c] == "sp+48 x25=c-48 x26=c-40 x27=c-32 x28=c-24 v8=c-16 v9=c-8")
  }

  @Test("Many functions that share their unwind information take no more than their size allows")
  func shared() throws {
    var table: [UInt8] = []
    for index in UInt32(0)..<60_000 {
      for word in [index * 1024, 480_000] as [UInt32] {
        table += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
    }
    let info: [UInt8] =
      [0xff, 0xff, 0x03, 0x00, 0, 0, 60, 0] + [UInt8](repeating: 0xe3, count: 236)
      + [0xe4, 0, 0, 0]
    let start = ContinuousClock.now
    let rules = try UnwindRules(
      opening: UnwindRules.compile(
        .functionTable(ByteView(table), image: ByteView(table + info)),
        for: UnwindTarget(architecture: .arm64)))
    #expect(rules.notes.contains { $0.contains("limit of") })
    #expect(start.duration(to: .now) < .seconds(30))
  }
}
