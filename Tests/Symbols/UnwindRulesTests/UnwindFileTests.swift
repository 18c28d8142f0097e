import Bytes
import Identifiers
import ObjectFormats
import TestSupport
import Testing
import UnwindRules

@Suite("Files of unwind rules")
struct UnwindFileTests {
  static let target = UnwindTarget(architecture: .x86_64)

  /// N functions with gaps between them, each with three rows.
  static func file(functions: UInt64, distance: UInt64) throws -> ByteView {
    var bytes = CallFrameBytes()
    bytes.addCommon()
    for index in 0..<functions {
      bytes.addFunction(
        index * distance, size: 0x20,
        [0x44, 0x0e, UInt8(index % 100), 0x83, 2, 0x48, 0x0f, 2, 0x77, UInt8(index % 50)])
    }
    return try UnwindRules.compile(
      .callFrames(ByteView(bytes.bytes), isEHFrame: true), for: target)
  }

  @Test(
    "Every address finds its row, near and far ones", arguments: [0x20, 0x30, 0x1234, 0x12_3456])
  func lookUps(distance: UInt64) throws {
    let text = UnwindText(try UnwindRules(opening: Self.file(functions: 200, distance: distance)))
    try text.rules.verify()
    for index in UInt64(0)..<200 {
      let start = UInt32(index * distance)
      let offset = "+\(index % 100)"
      #expect(text[start] == "rsp+8 ra=c-8" && text[start + 3] == "rsp+8 ra=c-8")
      #expect(text[start + 4] == "rsp\(offset) rbx=c-16 ra=c-8")
      #expect(text[start + 12] == "(breg7 \(index % 50)) rbx=c-16 ra=c-8")
      #expect(text[start + 31] == "(breg7 \(index % 50)) rbx=c-16 ra=c-8")
      if distance > 0x20 { #expect(text[start + 32] == nil) }
    }
    #expect(text[.max] == nil)
  }

  @Test("No rules are a file, too")
  func empty() throws {
    let bytes = try UnwindRules.compile(
      .callFrames(.empty, isEHFrame: true), for: Self.target)
    let rules = try UnwindRules(opening: bytes)
    #expect(rules.rowCount == 0 && rules.lookUp(0) == nil && rules.lookUp(.max) == nil)
  }

  @Test("The same object gives the same bytes, which contain the facts of the object")
  func deterministic() throws {
    let object = try Self.object("variants/cpp-gcc")
    let bytes = try UnwindRules.compile(object)
    #expect(try UnwindRules.compile(object).array == bytes.array)
    let rules = try UnwindRules(opening: bytes)
    #expect(rules.debugID == object.debugID && rules.architecture == object.architecture)
    #expect(rules.imageBase == object.imageBase && rules.sources == .debugFrame)
    #expect(rules.rowCount == 24)
  }

  static func object(_ name: String) throws -> ObjectFile {
    try ObjectFile.objects(in: ByteView(mapping: Samples.debugFile(name)))[0]
  }

  @Test("A truncated or damaged file is refused, or gives some result")
  func damage() throws {
    let bytes = try Self.file(functions: 8, distance: 0x40).array
    for count in 0..<bytes.count {
      #expect(throws: ParseError.self) {
        try UnwindRules(opening: ByteView(bytes[..<count]))
      }
    }
    for place in 0..<256 + 8 {
      var copy = bytes
      copy[place] ^= 0x10
      #expect(throws: ParseError.self) { try UnwindRules(opening: ByteView(copy)) }
    }
    var copy = bytes
    copy[bytes.count - 9] ^= 1
    #expect(throws: ParseError.self) { try UnwindRules(opening: ByteView(copy)).verify() }
    var outcomes = Outcomes()
    for copy in Mutator.binary(bytes, count: 100, seed: 11) {
      outcomes.count {
        let text = UnwindText(try UnwindRules(opening: ByteView(copy), checksSum: false))
        for offset in stride(from: UInt32(0), to: 0x300, by: 13) { _ = text[offset] }
        _ = text.lines.count
      }
    }
    #expect(outcomes.all == 100 && outcomes.isMixed)
  }

  @Test(
    "Damaged objects give some rules or none",
    arguments: ["variants/dwarf5-clang", "variants/cpp-gcc", "apple/1.1.0/macos/Tern"])
  func damagedObjects(name: String) throws {
    let bytes = try Self.object(name).bytes.array
    var outcomes = Outcomes()
    for copy in Mutator.binary(bytes, count: 60, seed: 5) {
      outcomes.count {
        for object in try ObjectFile.objects(in: ByteView(copy)) {
          let compiled = try UnwindRules.compile(object)
          #expect(throws: Never.self) { try UnwindRules(opening: compiled).verify() }
        }
      }
    }
    #expect(outcomes.all == 60 && outcomes.read > 20)
  }
}
