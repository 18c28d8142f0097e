import Bytes
import Identifiers
import Testing
import UnwindRules

@Suite("Exception indices of 32-bit Arm")
struct ExceptionIndexTests {
  /// An image whose index is at its start, with further information at 0x100; the last row is at 0x2000 and
  /// has none. Offsets are those of the addresses that tests write.
  static func text(
    _ rows: [(start: UInt32, word: Word)], _ information: [UInt32] = [],
    endianness: Endianness = .little
  ) throws -> UnwindText {
    var words: [UInt32] = []
    for (start, word) in rows + [(0x2000, .cannotUnwind)] {
      words.append(distance(to: start, from: words.count))
      switch word {
      case .cannotUnwind: words.append(1)
      case .itself(let word): words.append(word)
      case .at(let address): words.append(distance(to: address, from: words.count))
      }
    }
    let count = UInt32(words.count * 4)
    words += Array(repeating: 0, count: 0x40 - words.count) + information
    let bytes = words.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (endianness == .big ? 24 - 8 * $0 : 8 * $0)) }
    }
    return try UnwindText(
      .exceptionIndex(0..<count, image: ByteView(bytes)),
      UnwindTarget(architecture: .armv7, addressSize: 4, endianness: endianness))
  }

  /// The second word of a row.
  enum Word {
    case cannotUnwind
    case itself(UInt32)
    case at(UInt32)
  }

  static func distance(to address: UInt32, from index: Int) -> UInt32 {
    (address &- UInt32(index * 4)) & 0x7fff_ffff
  }

  @Test(
    "Opcodes become rules",
    arguments: [
      // vsp + 12; pop r4-r11, r14
      (
        0x8002_afb0,
        "sp+48 r4=c-36 r5=c-32 r6=c-28 r7=c-24 r8=c-20 r9=c-16 r10=c-12 r11=c-8 ra=c-4 at-calls"
      ),
      // pop r4, r5
      (0x80a1_b0b0, "sp+8 r4=c-8 r5=c-4 at-calls"),
      // pop r7, r14
      (0x8084_08b0, "sp+8 r7=c-8 ra=c-4 at-calls"),
      // Nothing: the return address is in r14
      (0x80b0_b0b0, "sp+0 at-calls"),
      // vsp = r7; pop r7, r14
      (0x8097_8408, "r7+8 r7=c-8 ra=c-4 at-calls"),
      // vsp - 8
      (0x8041_b0b0, "sp-8 at-calls"),
      // pop d8 with a word more; pop d8, d9
      (0x80b8_d1b0, "sp+28 d8=c-16 d9=c-8 at-calls"),
      // pop the code of a signed return address; signed with vsp; pop wR10
      (0x80b4_b5c0, "sp+12 at-calls"),
    ] as [(UInt32, String)])
  func opcodes(_ word: UInt32, _ row: String) throws {
    let text = try Self.text([(0x1000, .itself(word))])
    #expect(text.lines == ["0x1000 \(row)", "0x2000 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test(
    "Further information has more opcodes",
    arguments: [
      // Model 1: vsp + 0x204 + 4 * 128; pop r3; pop d0
      ([0x8102_b280, 0x01b1_08c9, 0x00b0_b0b0], "sp+1040 r3=c-12 d0=c-8 at-calls"),
      // Model 2
      ([0x8201_a8b0, 0], "sp+8 r4=c-8 ra=c-4 at-calls"),
      // A routine of C++: a count and three opcodes, then as many words
      ([0x0000_1234, 0x0102_aab0, 0], "sp+28 r4=c-16 r5=c-12 r6=c-8 ra=c-4 at-calls"),
      // What the kernel saved for a signal handler
      (
        [0x8102_27b1, 0x0f8f_ffb0, 0],
        "sp+224 r0=c-64 r1=c-60 r2=c-56 r3=c-52 r4=c-48 r5=c-44 r6=c-40 r7=c-36 r8=c-32 r9=c-28 "
          + "r10=c-24 r11=c-20 r12=c-16 sp=c-12 lr=c-8 ra=c-4 signal at-calls"
      ),
    ] as [([UInt32], String)])
  func information(_ words: [UInt32], _ row: String) throws {
    let text = try Self.text([(0x1000, .at(0x100))], words)
    #expect(text.lines == ["0x1000 \(row)", "0x2000 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test("A function extends to the next, and one that cannot be unwound has no rules")
  func functions() throws {
    let text = try Self.text([
      (0x1001, .itself(0x80a8_b0b0)), (0x1040, .cannotUnwind), (0x1060, .itself(0x8000_b0b0)),
      (0x1080, .itself(0x8080_00b0)),
    ])
    #expect(
      text.lines == [
        "0x1000 sp+8 r4=c-8 ra=c-4 at-calls", "0x1040 -", "0x1060 sp+4 at-calls", "0x1080 -",
      ])
    #expect(text.rules.sources == .exceptionIndex)
  }

  @Test("Data of big-endian programs is read in their byte order")
  func bigEndian() throws {
    let text = try Self.text([(0x1000, .at(0x100))], [0x8100_a8b0], endianness: .big)
    #expect(text.lines == ["0x1000 sp+8 r4=c-8 ra=c-4 at-calls", "0x2000 -"])
  }

  @Test("An index in the memory of a process counts from the image, and ends its last function")
  func inMemory() throws {
    // At 0x200 of the image: functions at 0x100 and 0x140.
    let words: [UInt32] = [0x7fff_ff00, 0x80a8_b0b0, 0x7fff_ff38, 0x80b0_b0b0]
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    var target = UnwindTarget(architecture: .armv7, addressSize: 4)
    target.imageBase = 0x7000_0000
    for (start, lines) in [
      (0x7000_0200, ["0x100 sp+8 r4=c-8 ra=c-4 at-calls", "0x140 sp+0 at-calls", "0x200 -"]),
      // Before the image there is none.
      (0x6000_0200, []),
    ] as [(UInt64, [String])] {
      let rules = try UnwindRules.compile(
        exceptionIndex: start..<(start + 16), in: ByteView(bytes), at: start, for: target)
      #expect(UnwindText(try UnwindRules(opening: rules)).lines == lines)
    }
  }

  @Test(
    "Damage costs the function that it touches",
    arguments: [
      .itself(0x83b0_b0b0), .itself(0x81ff_b0b0), .itself(0x809d_b0b0), .itself(0x80b1_00b0),
      .itself(0x80b1_10b0), .itself(0x80ca_b0b0), .itself(0x80a7_97b0), .itself(0x8082_00b0),
      .itself(0x80c8_fbb0), .itself(0x80b2_ffff), .at(0x7000_0000), .at(0x100),
    ] as [Word])
  func damage(_ word: Word) throws {
    let text = try Self.text([(0x1000, word), (0x1800, .itself(0x80b0_b0b0))], [0x81ff_b0b0])
    #expect(text.lines == ["0x1800 sp+0 at-calls", "0x2000 -"])
    #expect(text.rules.notes.count == 1)
  }

  @Test("Many functions that share their information take no more than their size allows")
  func shared() throws {
    let functions = (UInt32(0)..<20_000).map { (0x10_0000 + $0 * 2, Word.at(0xf_0000)) }
    var words: [UInt32] = []
    for (start, _) in functions {
      words.append(Self.distance(to: start, from: words.count))
      words.append(Self.distance(to: 0xf_0000, from: words.count))
    }
    let count = UInt32(words.count * 4)
    words += Array(repeating: 0, count: 0xf_0000 / 4 - words.count)
    words += [0x81ff_0000] + Array(repeating: 0, count: 255)
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    let rules = try UnwindRules(
      opening: UnwindRules.compile(
        .exceptionIndex(0..<count, image: ByteView(bytes)),
        for: UnwindTarget(architecture: .armv7, addressSize: 4)))
    #expect(rules.notes.contains { $0.contains("limit of") })
  }
}
