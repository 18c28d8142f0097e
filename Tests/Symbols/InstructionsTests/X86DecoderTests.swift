import Instructions
import Testing

@Suite("Decoding x86")
struct X86DecoderTests {
  /// Bytes, GNU objdump's output for them in its own spelling of sizes, and the memory that they access.
  @Test(
    "Instructions of 64-bit programs have their lengths, names and accesses",
    arguments: [
      ("48 8b 47 10", "mov rax, [rdi+0x10]", "read 8 [rdi+0x10]"),
      ("8b 04 25 10 00 00 00", "mov eax, [0x10]", "read 4 [0x10]"),
      ("c7 04 25 45 00 00 00 05 00 00 00", "mov dword [0x45], 0x5", "write 4 [0x45]"),
      ("f0 48 0f b1 0f", "lock cmpxchg [rdi], rcx", "update 8 [rdi]"),
      ("64 48 8b 04 25 28 00 00 00", "mov rax, [fs:0x28]", "read 8 [fs:0x28]"),
      ("48 83 3d 00 10 00 00 00", "cmp qword [rip+0x1000], 0x0", "read 8 [rip+0x1000]"),
      ("48 89 5c c8 f8", "mov [rax+rcx*8-0x8], rbx", "write 8 [rax+rcx*8-0x8]"),
      ("41 ff 14 24", "call qword [r12]", "read 8 [r12]; write 8 [rsp-0x8]"),
      ("ff d0", "call rax", "write 8 [rsp-0x8]"),
      ("c3", "ret", "read 8 [rsp]"),
      ("55", "push rbp", "write 8 [rsp-0x8]"),
      ("c9", "leave", "read 8 [rbp]"),
      ("f3 48 a5", "rep movsq [rdi], [rsi]", "write 8 [rdi]; read 8 [rsi]"),
      ("f3 aa", "rep stosb [rdi], al", "write 1 [rdi]"),
      ("0f 29 04 24", "movaps [rsp], xmm0", "write 16 [rsp]"),
      ("c5 fe 6f 06", "vmovdqu ymm0, [rsi]", "read 32 [rsi]"),
      ("62 f1 fe 48 6f 46 01", "vmovdqu zmm0, [rsi+0x40]", "read 64 [rsi+0x40]"),
      ("c4 e2 fb f6 4e 08", "mulx rcx, rax, [rsi+0x8]", "read 8 [rsi+0x8]"),
      ("c4 e1 f8 90 42 01", "kmov k0, qword [rdx+0x1]", "read 8 [rdx+0x1]"),
      ("c4 e1 f9 91 42 01", "kmov dword [rdx+0x1], k0", "write 4 [rdx+0x1]"),
      ("f2 0f 2b 42 01", "movntsd [rdx+0x1], xmm0", "write 8 [rdx+0x1]"),
      ("66 0f 3a ce 42 01 90", "gf2p8affineqb xmm0, [rdx+0x1], 0x90", "read 16 [rdx+0x1]"),
      ("66 ff 52 01", "call qword [rdx+0x1]", "read 8 [rdx+0x1]; write 8 [rsp-0x8]"),
      ("66 48 ff 72 01", "push qword [rdx+0x1]", "read 8 [rdx+0x1]; write 8 [rsp-0x8]"),
      ("66 63 42 01", "movsxd ax, [rdx+0x1]", "read 2 [rdx+0x1]"),
      ("f7 f9", "idiv ecx", ""),
      ("0f 0b", "ud2", ""),
      ("48 8d 47 10", "lea rax, [rdi+0x10]", ""),
      ("f3 0f 1e fa", "endbr64", ""),
      ("66 0f 1f 44 00 00", "nop word [rax+rax]", ""),
      ("67 8b 00", "mov eax, [eax]", "read 4 [eax]"),
      ("d9 7c 24 02", "fnstcw word [rsp+0x2]", "write 2 [rsp+0x2]"),
    ])
  func decodes64(_ code: String, _ text: String, _ accesses: String) throws {
    try expect(code, .x86_64, text, accesses)
  }

  /// Instructions in which the scale of an 8-bit displacement depends on the memory access.
  @Test(
    "Displacements of EVEX instructions without a name",
    arguments: [
      // vinserti64x4, vextractf64x4, vbroadcastf64x4
      ("62 f3 fd 48 3a 42 01 90", "read ? [rdx+0x20]"),
      ("62 f3 fd 48 1b 42 01 90", "write ? [rdx+0x20]"),
      ("62 f2 fd 48 1b 42 01", "read ? [rdx+0x20]"),
      // vcvttsd2usi, vcvtps2uqq and vcvtqq2pd of 16 bytes, vcvttps2udq
      ("62 f1 7f 08 78 42 01", "read ? [rdx+0x8]"), ("62 f1 7d 08 79 42 01", "read ? [rdx+0x8]"),
      ("62 f1 fe 08 e6 42 01", "read ? [rdx+0x10]"), ("62 f1 7c 48 78 42 01", "read ? [rdx+0x40]"),
      // vscalefss, vpexpandb, vpcompressq, vpmovqb and vpmovdw of 64 bytes
      ("62 f2 7d 08 2d 42 01", "read ? [rdx+0x4]"), ("62 f2 7d 08 62 42 01", "read ? [rdx+0x1]"),
      ("62 f2 fd 08 8b 42 01", "write ? [rdx+0x8]"), ("62 f2 7e 48 32 42 01", "write ? [rdx+0x8]"),
      ("62 f2 7e 48 33 42 01", "write ? [rdx+0x20]"),
      // vaddph with one number for all, vmovsh, vcvtph2pd of 64 bytes, vfmadd213sh
      ("62 f5 7c 18 58 42 01", "read ? [rdx+0x2]"), ("62 f5 7e 08 11 42 01", "write ? [rdx+0x2]"),
      ("62 f5 7c 48 5a 42 01", "read ? [rdx+0x10]"), ("62 f6 7d 08 a9 42 01", "read ? [rdx+0x2]"),
    ])
  func displacements(_ code: String, _ accesses: String) throws {
    try expect(code, .x86_64, nil, accesses)
  }

  @Test(
    "Instructions of 32-bit programs are those of their mode",
    arguments: [
      ("8b 44 24 04", "mov eax, [esp+0x4]", "read 4 [esp+0x4]"),
      ("40", "inc eax", ""),
      ("a1 10 00 00 00", "mov eax, [0x10]", "read 4 [0x10]"),
      ("65 a1 14 00 00 00", "mov eax, [gs:0x14]", "read 4 [gs:0x14]"),
      ("50", "push eax", "write 4 [esp-0x4]"),
      ("67 8b 40 04", "mov eax, [bx+si+0x4]", "read 4 [bx+si+0x4]"),
      ("c5 00", "lds eax, [eax]", "read 6 [eax]"),
    ])
  func decodes32(_ code: String, _ text: String, _ accesses: String) throws {
    try expect(code, .x86, text, accesses)
  }

  private func expect(
    _ code: String, _ set: InstructionSet, _ text: String?, _ accesses: String
  ) throws {
    let bytes = code.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    let instruction = try #require(set.decode(bytes + [0xcc, 0xcc], at: 0x1000))
    #expect(instruction.length == bytes.count)
    #expect(instruction.text == text)
    #expect(shown(instruction) == accesses)
    for count in 0..<bytes.count {
      #expect(set.decode(bytes.prefix(count), at: 0x1000)?.length ?? 0 <= count)
    }
  }

  private func shown(_ instruction: Instruction) -> String {
    instruction.accesses.map {
      "\($0.kind.rawValue) \($0.size.map(String.init) ?? "?") \($0.operand.text)"
    }.joined(separator: "; ")
  }

  @Test("Jumps and calls lead where their operands say")
  func flow() throws {
    let call = try #require(
      InstructionSet.x86_64.decode([0xe8, 0xfb, 0xff, 0xff, 0xff], at: 0x1000))
    #expect(call.flow?.kind == .call)
    #expect(call.flow?.target == .address(0x1000))
    let jump = try #require(InstructionSet.x86_64.decode([0xff, 0xe0], at: 0x1000))
    #expect(jump.flow?.kind == .jump)
    #expect(jump.flow?.target == .register("rax"))
    let indirect = try #require(
      InstructionSet.x86_64.decode([0xff, 0x25, 0x10, 0, 0, 0], at: 0x1000))
    guard case .memory(let operand) = try #require(indirect.flow?.target) else {
      Issue.record("a jump through memory")
      return
    }
    #expect(operand.address { _ in nil } == 0x1016)
  }

  @Test("An address is formed of registers, the segment's base and the sign-extended displacement")
  func addresses() throws {
    let registers: [String: UInt64] = ["rax": 0x1000, "rcx": 3, "fs_base": 0x7000_0000]
    func address(_ code: [UInt8]) throws -> UInt64? {
      let instruction = try #require(InstructionSet.x86_64.decode(code, at: 0))
      return try #require(instruction.accesses.first).operand.address { registers[$0] }
    }
    #expect(try address([0x48, 0x89, 0x5c, 0xc8, 0xf8]) == 0x1010)
    #expect(try address([0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0]) == 0x7000_0028)
    #expect(try address([0x48, 0x8b, 0x07]) == nil)
  }

  @Test("SSE requires aligned memory where the manual says so")
  func alignment() throws {
    func needs(_ code: [UInt8]) throws -> Bool {
      try #require(InstructionSet.x86_64.decode(code, at: 0)).needsAlignment
    }
    #expect(try needs([0x0f, 0x29, 0x04, 0x24]))
    #expect(try needs([0x0f, 0x58, 0x04, 0x24]))
    #expect(try needs([0xc5, 0xf8, 0x29, 0x04, 0x24]))
    #expect(try !needs([0xc5, 0xf8, 0x58, 0x04, 0x24]))
    #expect(try !needs([0x0f, 0x10, 0x04, 0x24]))
    #expect(try !needs([0xf3, 0x0f, 0x58, 0x04, 0x24]))
  }

  @Test("Any bytes are an instruction of at most 15 bytes, or none", arguments: 0..<4)
  func anyBytes(_ seed: UInt64) {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    var count = 0
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<16 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 56))
      }
      for set in [InstructionSet.x86, .x86_64, .arm64] {
        guard let instruction = set.decode(bytes, at: .max - 3) else { continue }
        count += 1
        if instruction.length > set.longest { Issue.record("\(bytes)") }
      }
    }
    #expect(count > 20_000)
  }
}
