import Bytes
import Identifiers
import Testing
import UnwindRules

@Suite("Call frame information")
struct CallFrameTests {
  static let x86 = UnwindTarget(architecture: .x86_64)

  /// The rows of one function of 0x40 bytes at 0x1000.
  static func rows(
    _ program: [UInt8], common: [UInt8] = [0x0c, 7, 8, 0x90, 1], for target: UnwindTarget = x86
  ) throws -> UnwindText {
    var bytes = CallFrameBytes()
    bytes.addCommon(common)
    bytes.addFunction(0x1000, size: 0x40, program)
    return try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), target)
  }

  @Test(
    "Each instruction makes its rule",
    arguments: [
      ([0x83, 3], "rsp+8 rbx=c-24 ra=c-8"),
      ([0x05, 6, 2], "rsp+8 rbp=c-16 ra=c-8"),
      ([0x11, 6, 0x7e], "rsp+8 rbp=c+16 ra=c-8"),
      ([0x2f, 6, 2], "rsp+8 rbp=c+16 ra=c-8"),
      ([0x07, 16], "rsp+8 ra=u"),
      ([0x08, 3], "rsp+8 rbx=s ra=c-8"),
      ([0x09, 3, 12], "rsp+8 rbx=r12 ra=c-8"),
      ([0x14, 7, 2], "rsp+8 rsp=v-16 ra=c-8"),
      ([0x15, 7, 0x7f], "rsp+8 rsp=v+8 ra=c-8"),
      ([0x83, 3, 0xc3], "rsp+8 ra=c-8"),
      ([0x07, 16, 0xd0], "rsp+8 ra=c-8"),
      ([0x05, 6, 2, 0x06, 6], "rsp+8 ra=c-8"),
      ([0x0d, 6], "rbp+8 ra=c-8"),
      ([0x0e, 16], "rsp+16 ra=c-8"),
      ([0x0c, 6, 16], "rbp+16 ra=c-8"),
      ([0x12, 6, 0x7e], "rbp+16 ra=c-8"),
      ([0x13, 0x7d], "rsp+24 ra=c-8"),
      ([0x0f, 3, 0x77, 8, 0x06], "(breg7 8, deref) ra=c-8"),
      ([0x10, 3, 2, 0x23, 8], "rsp+8 rbx=at(plus_uconst 8) ra=c-8"),
      ([0x16, 3, 2, 0x23, 8], "rsp+8 rbx=(plus_uconst 8) ra=c-8"),
      ([0x0a, 0x0e, 32, 0x83, 2, 0x0b], "rsp+8 ra=c-8"),
      ([0x2e, 16], "rsp+8 ra=c-8"),
      ([0x00, 0x00], "rsp+8 ra=c-8"),
    ] as [([UInt8], String)])
  func instructions(program: [UInt8], row: String) throws {
    let text = try Self.rows(program)
    #expect(text.lines == ["0x1000 \(row)", "0x1040 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test("Rules begin at the advances of every size, and end with the function")
  func advances() throws {
    let text = try Self.rows([
      0x41, 0x0e, 16, 0x02, 3, 0x0e, 24, 0x03, 2, 0, 0x0e, 32, 0x04, 1, 0, 0, 0, 0x0e, 40,
      0x01, 0x20, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 48, 0x7f, 0x0e, 56,
    ])
    #expect(
      text.lines == [
        "0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 ra=c-8", "0x1004 rsp+24 ra=c-8",
        "0x1006 rsp+32 ra=c-8", "0x1007 rsp+40 ra=c-8", "0x1020 rsp+48 ra=c-8", "0x1040 -",
      ])
    #expect(text[0xfff] == nil && text[0x1040] == nil && text[0x1003] == "rsp+16 ra=c-8")
  }

  @Test(
    "Damage loses the rows from it on, and is reported",
    arguments: [
      [0x0b], [0x0f, 0x7f], [0x0f, 1, 0x06], [0x0f, 1, 0xf1], [0x0f, 3, 0x2f, 0xfd, 0xff],
      [0x0f, 4, 0x30, 0x2f, 1, 0], [0x04, 1], [0x3f], [0x2d], [0x83],
    ] as [[UInt8]])
  func damage(program: [UInt8]) throws {
    let text = try Self.rows([0x41, 0x0e, 16, 0x44] + program)
    #expect(text.lines == ["0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 ra=c-8", "0x1005 -"])
    #expect(text.rules.notes.count == 1)
  }

  @Test("States are remembered to a limited depth")
  func depth() throws {
    let deep = [UInt8](repeating: 0x0a, count: 64) + [UInt8](repeating: 0x0b, count: 64)
    #expect(try Self.rows(deep).rules.notes.isEmpty)
    let deeper = try Self.rows([UInt8](repeating: 0x0a, count: 65))
    #expect(deeper.rules.notes.first?.contains("limit of 64 remembered states") == true)
  }

  @Test("Every version, size and byte order gives the same", arguments: [1, 3, 4] as [UInt8])
  func encodings(version: UInt8) throws {
    for isEHFrame in [true, false] {
      for (isBigEndian, is64Bit, addressSize) in [
        (false, false, 8), (true, false, 8), (false, true, 8), (true, true, 4), (false, false, 4),
      ] {
        var bytes = CallFrameBytes()
        bytes.isEHFrame = isEHFrame
        bytes.isBigEndian = isBigEndian
        bytes.is64Bit = is64Bit
        bytes.addressSize = addressSize
        bytes.addCommon(version: version, augmentation: "", data: [])
        bytes.addFunction(0x1000, size: 0x10, hasAugmentation: false, [0x44, 0x0e, 16])
        let target = UnwindTarget(
          architecture: .x86_64, addressSize: addressSize,
          endianness: isBigEndian ? .big : .little)
        let text = try UnwindText(
          .callFrames(ByteView(bytes.bytes), isEHFrame: isEHFrame), target)
        #expect(
          text.lines == ["0x1000 rsp+8 ra=c-8", "0x1004 rsp+16 ra=c-8", "0x1010 -"],
          "\(version) \(isEHFrame) \(isBigEndian) \(is64Bit) \(addressSize)")
        #expect(text.rules.notes.isEmpty)
      }
    }
  }

  @Test(
    "Augmentations are understood, or skipped if they have a length",
    arguments: [
      ("zR", [0x00]), ("zRS", [0x00]), ("zPLR", [0x03, 1, 2, 3, 4, 0x1b, 0x00]),
      ("zPR", [0x9b, 1, 2, 3, 4, 0x00]), ("zPR", [0xff, 0x00]), ("zRB", [0x00]), ("zRG", [0x00]),
      ("zRx", [0x00, 9, 9]), ("eh", []), ("", []), ("armcc+", []),
    ] as [(String, [UInt8])])
  func augmentations(augmentation: String, data: [UInt8]) throws {
    var bytes = CallFrameBytes()
    bytes.addCommon(augmentation: augmentation, data: data)
    bytes.addFunction(0x1000, size: 0x10, hasAugmentation: augmentation.hasPrefix("z"))
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    let signal = augmentation.contains("S") ? " signal" : ""
    #expect(text.lines == ["0x1000 rsp+8 ra=c-8\(signal)", "0x1010 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test("Unknown augmentations without a length are refused")
  func unknownAugmentation() throws {
    var bytes = CallFrameBytes()
    bytes.addCommon(augmentation: "xyz", data: [])
    bytes.addFunction(0x1000, size: 0x10, hasAugmentation: false)
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    #expect(text.lines.isEmpty && text.rules.notes.count == 1)
  }

  @Test(
    "Addresses are read in every encoding but those that need a process",
    arguments: [
      (0x03, [0x00, 0x10, 0, 0, 0x10, 0, 0, 0], true),
      (0x01, [0x80, 0x20, 0x10], true),
      (0x02, [0x00, 0x10, 0x10, 0], true),
      (0x04, [0x00, 0x10, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0], true),
      // The field is at 0x1c.
      (0x1b, [0xe4, 0x0f, 0, 0, 0x10, 0, 0, 0], true),
      (0x1a, [0xe4, 0x0f, 0x10, 0], true),
      (0x19, [0xe4, 0x1f, 0x10], true),
      (0x9b, [0xe4, 0x0f, 0, 0, 0x10, 0, 0, 0], false),
      (0x3b, [0xe4, 0x0f, 0, 0, 0x10, 0, 0, 0], false),
      (0xff, [0xe4, 0x0f, 0, 0, 0x10, 0, 0, 0], false),
    ] as [(UInt8, [UInt8], Bool)])
  func pointers(encoding: UInt8, place: [UInt8], isRead: Bool) throws {
    var bytes = CallFrameBytes()
    bytes.addCommon(data: [encoding], [0x0c, 7, 8, 0x90, 1])
    #expect(bytes.bytes.count == 22)
    bytes.bytes += [0, 0]
    bytes.bytes[0] += 2
    bytes.addFunction(0, size: 0, encoded: place)
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    let place = encoding == 0x1b || encoding == 0x1a || encoding == 0x19 ? 0x1004 : 0x1000
    let start = String(place, radix: 16)
    let end = String(place + 0x10, radix: 16)
    #expect(
      text.lines == (isRead ? ["0x\(start) rsp+8 ra=c-8", "0x\(end) -"] : []))
    #expect(text.rules.notes.isEmpty == isRead)
  }

  @Test("Signed return addresses are reported where the architecture has them")
  func pointerAuthentication() throws {
    let target = UnwindTarget(architecture: .arm64)
    let text = try Self.rows(
      [0x44, 0x2d, 0x44, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x44, 0x2d, 0x44, 0x0a, 0x2c, 0x0b],
      common: [0x0c, 31, 0], for: target)
    #expect(
      text.lines == [
        "0x1000 sp+0", "0x1004 sp+0 signed", "0x1008 sp+16 x29=c-16 x30=c-8 signed",
        "0x100c sp+16 x29=c-16 x30=c-8", "0x1040 -",
      ])
  }

  @Test("Where entries overlap, the later one wins for as long as it continues")
  func overlaps() throws {
    var bytes = CallFrameBytes()
    bytes.addCommon()
    bytes.addFunction(0x1000, size: 0x100, [0x02, 0x20, 0x0e, 16, 0x02, 0x60, 0x0e, 24])
    bytes.addFunction(0x1010, size: 0x20, [0x0e, 32])
    bytes.addFunction(0x1010, size: 0x40, [0x0e, 40])
    bytes.addFunction(0x10f0, size: 0x20, [0x0e, 48])
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    #expect(
      text.lines == [
        "0x1000 rsp+8 ra=c-8", "0x1010 rsp+32 ra=c-8", "0x1030 rsp+40 ra=c-8",
        "0x1050 rsp+16 ra=c-8", "0x1080 rsp+24 ra=c-8", "0x10f0 rsp+48 ra=c-8", "0x1110 -",
      ])
  }

  @Test("Functions without code, and those 4 GiB away, have no rows")
  func empty() throws {
    var bytes = CallFrameBytes()
    bytes.addCommon()
    bytes.addFunction(0x1000, size: 0)
    bytes.addFunction(0x1_0000_0000, size: 16)
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    #expect(text.lines.isEmpty)
  }

  @Test("Zeros between entries are skipped")
  func terminator() throws {
    var bytes = CallFrameBytes()
    bytes.addCommon()
    bytes.addFunction(0x1000, size: 16)
    bytes.bytes += [0, 0, 0, 0]
    bytes.addFunction(0x2000, size: 16)
    let text = try UnwindText(.callFrames(ByteView(bytes.bytes), isEHFrame: true), Self.x86)
    #expect(
      text.lines == ["0x1000 rsp+8 ra=c-8", "0x1010 -", "0x2000 rsp+8 ra=c-8", "0x2010 -"])
  }
}
