import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

/// A frame's line and its meaning.
struct AppleFrameCase: Sendable, CustomTestStringConvertible {
  var line: String
  var image: String
  var address: UInt64?
  var symbol: String?
  var offset: UInt64?
  var load: UInt64?
  var imageOffset: UInt64?
  var file: String?
  var number: Int?
  var isInlined = false

  var testDescription: String { line }
}

@Suite("Lines of Apple's text reports")
struct AppleLineTests {
  static let frameCases: [AppleFrameCase] = [
    AppleFrameCase(
      line: "0   Tern  \t0x0000000100001234 main + 4", image: "Tern", address: 0x1_0000_1234,
      symbol: "main", offset: 4),
    AppleFrameCase(
      line: "12  org.example.tern-with-a-very-long-name\t0x0000000100001234 main + 4",
      image: "org.example.tern-with-a-very-long-name", address: 0x1_0000_1234, symbol: "main",
      offset: 4),
    AppleFrameCase(
      line: "3   A name of exactly so many characters 0x00001234 main + 4",
      image: "A name of exactly so many characters", address: 0x1234, symbol: "main", offset: 4),
    AppleFrameCase(
      line: "1   Tern + Gull (beta) 2.0   \t0x1234 0x1000 + 564", image: "Tern + Gull (beta) 2.0",
      address: 0x1234, load: 0x1000, imageOffset: 564),
    AppleFrameCase(
      line: "1   Gull  0x1234 A::operator+(B const&, int) + 12 (gull.cpp:34)", image: "Gull",
      address: 0x1234, symbol: "A::operator+(B const&, int)", offset: 12, file: "gull.cpp",
      number: 34),
    AppleFrameCase(
      line: "1   Gull  0x1234 closure #1 in Nest.add(x: Int) + 12 (Nest + More.swift:0)",
      image: "Gull", address: 0x1234, symbol: "closure #1 in Nest.add(x: Int)", offset: 12,
      file: "Nest + More.swift"),
    AppleFrameCase(
      line: "1   Gull  0x1234 main (in Gull) (main.c:12)", image: "Gull", address: 0x1234,
      symbol: "main", file: "main.c", number: 12),
    AppleFrameCase(
      line: "1   Gull  0x1234 main (in Gull) + 12", image: "Gull", address: 0x1234, symbol: "main",
      offset: 12),
    AppleFrameCase(
      line: "1   Gull  0x1234 main (main.m:16)", image: "Gull", address: 0x1234, symbol: "main",
      file: "main.m", number: 16),
    AppleFrameCase(
      line: "1   Gull  0x1234 Gull + 564", image: "Gull", address: 0x1234, imageOffset: 564),
    AppleFrameCase(
      line: "1   Gull  0x1234 0x1000 + 564 (-[Gull fly:] + 20)", image: "Gull", address: 0x1234,
      symbol: "-[Gull fly:]", offset: 20, load: 0x1000, imageOffset: 564),
    AppleFrameCase(
      line: "1       Gull  \t0x1234 0x1000 + 0x234\t// -[Gull fly:] + 0x14", image: "Gull",
      address: 0x1234, symbol: "-[Gull fly:]", offset: 20, load: 0x1000, imageOffset: 564),
    AppleFrameCase(
      line: "1   Gull  0x1234 static Gull.$main() + 24 [inlined]", image: "Gull", address: 0x1234,
      symbol: "static Gull.$main()", offset: 24, isInlined: true),
    AppleFrameCase(
      line: "1   Gull  0x1234 f() + 24 (Gull.swift:7) [inlined]", image: "Gull", address: 0x1234,
      symbol: "f()", offset: 24, file: "Gull.swift", number: 7, isInlined: true),
    AppleFrameCase(
      line: "27  Gull  0x1234 main + 30  <compiler-generated>:0", image: "Gull", address: 0x1234,
      symbol: "main", offset: 30, file: "<compiler-generated>"),
    AppleFrameCase(
      line: "2   ???  0x0000000054485244 0x0 + 0", image: "???", address: 0x5448_5244,
      load: 0, imageOffset: 0),
    AppleFrameCase(line: "2   ???  000000000000000000 0 + 0", image: "???", address: 0),
    AppleFrameCase(
      line: "0   ???  \t0x00007fff0144ff40 ???", image: "???", address: 0x7fff_0144_ff40),
    AppleFrameCase(line: "0   Gull  0x1234 <redacted> + 8", image: "Gull", address: 0x1234),
    AppleFrameCase(line: "0   Gull  0x1234", image: "Gull", address: 0x1234),
    AppleFrameCase(
      line: "0   Gull  __exceptionPreprocess + 180", image: "Gull",
      symbol: "__exceptionPreprocess", offset: 180),
    AppleFrameCase(line: "0   Gull  Gull + 180", image: "Gull", imageOffset: 180),
    AppleFrameCase(
      line: "0   Gull  0xffffffffffffffff x + 99999999999999999999", image: "Gull", address: .max,
      symbol: "x + 99999999999999999999"),
    AppleFrameCase(
      line: "0   Gull  0x1234 f(x:0x10 y) + 5 + 8", image: "Gull", address: 0x1234,
      symbol: "f(x:0x10 y) + 5", offset: 8),
  ]

  @Test("Frames", arguments: frameCases)
  func frames(_ expected: AppleFrameCase) throws {
    let view = ByteView(expected.line.utf8)
    let bytes = view.bytes
    let parsed = AppleFrameLine(bytes)
    let frame = try #require(parsed)
    func text(_ range: Range<Int>?) -> String? {
      range.map { String(decoding: view.array[$0], as: UTF8.self) }
    }
    #expect(text(frame.image) == expected.image)
    #expect(frame.address == expected.address)
    #expect(text(frame.symbol) == expected.symbol)
    #expect(frame.symbolOffset == expected.offset)
    #expect(frame.loadAddress == expected.load)
    #expect(frame.imageOffset == expected.imageOffset)
    #expect(text(frame.file) == expected.file)
    #expect(frame.line == expected.number)
    #expect(frame.isInlined == expected.isInlined)
  }

  @Test("No frames", arguments: ["", "0", "12", "x 0x1 y", "0x1234 main", "12345678901 Gull  0x1"])
  func noFrames(line: String) {
    let view = ByteView(line.utf8)
    let parsed = AppleFrameLine(view.bytes)
    #expect(parsed?.index == nil)
  }

  static let id = "11111111222233334444555555555555"

  @Test(
    "Images",
    arguments: [
      (
        "0x1000 - 0x1fff Tern arm64e  <\(id)> /a/Tern.app/Tern",
        LoadedImage(
          name: "Tern", path: "/a/Tern.app/Tern", architecture: .arm64e, debugID: DebugID(id),
          base: Address(0x1000), size: 0x1000)
      ),
      (
        "   0x1000 -    0x1ff7 +org.example.Tern (1.3) <11111111-2222-3333-4444-555555555555> /a/Kind of Tern",
        LoadedImage(
          name: "Kind of Tern", path: "/a/Kind of Tern", debugID: DebugID(id),
          base: Address(0x1000), size: 0xff8, version: "1.3")
      ),
      (
        "0x1000 - 0x1fff +Tern Viewer x86_64 (400.9 - 1.0) <\(id)> /a/Tern Viewer",
        LoadedImage(
          name: "Tern Viewer", path: "/a/Tern Viewer", architecture: .x86_64, debugID: DebugID(id),
          base: Address(0x1000), size: 0x1000, version: "400.9 - 1.0")
      ),
      (
        "0x1000 - 0x1fff  org.example.Tern (x86_64)  <\(id.uppercased())> /a/Tern",
        LoadedImage(
          name: "Tern", path: "/a/Tern", architecture: .x86_64, debugID: DebugID(id),
          base: Address(0x1000), size: 0x1000)
      ),
      (
        "+0x1000 - 0x1fff libgull.dylib (*) <\(id)> /a/*/libgull.dylib",
        LoadedImage(
          name: "libgull.dylib", path: "/a/*/libgull.dylib", debugID: DebugID(id),
          base: Address(0x1000), size: 0x1000)
      ),
      (
        "0x1000 - 0x1fff + Gull.dylib arm64  <\(id)> /a/Gull.dylib {\"name\":\"gull\"}",
        LoadedImage(
          name: "Gull.dylib", path: "/a/Gull.dylib", architecture: .arm64, debugID: DebugID(id),
          base: Address(0x1000), size: 0x1000)
      ),
      (
        "0x1000 - 0x1fff ??? (*) <00000000-0000-0000-0000-000000000000> ???",
        LoadedImage(name: "???", base: Address(0x1000), size: 0x1000)
      ),
      (
        "0x1000 -     ???  org.example.tern 1.8_beta (77)  /a/Tern.app/Tern",
        LoadedImage(
          name: "Tern", path: "/a/Tern.app/Tern", base: Address(0x1000), version: "1.8_beta")
      ),
      (
        "0x1000 -     ???  ??? <\(id)>",
        LoadedImage(name: "???", debugID: DebugID(id), base: Address(0x1000))
      ),
      ("0x1000 <\(id)>", LoadedImage(name: "???", debugID: DebugID(id), base: Address(0x1000))),
      ("0x0 - 0x0 x", LoadedImage(name: "x", base: Address(0))),
    ])
  func images(line: String, image: LoadedImage) throws {
    let view = ByteView(line.utf8)
    let line = AppleImageLine(view.bytes.trimmed, hasVersionInName: true)
    let parsed = try #require(line)
    #expect(parsed.image == image)
    #expect(!parsed.isPlaceholder)
  }

  @Test("The whole address space is not an image")
  func placeholder() {
    let line = "0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???"
    #expect(
      AppleImageLine(ByteView(line.utf8).bytes, hasVersionInName: false)?.isPlaceholder == true)
  }

  @Test("No images", arguments: ["", "0x", "0x1000", "0x1000 main", "0x2000 - 0x1000 x", "- 0x1"])
  func noImages(line: String) {
    let view = ByteView(line.utf8)
    let parsed = AppleImageLine(view.bytes, hasVersionInName: false)
    #expect(parsed?.image == nil)
  }

  @Test(
    "Thread headings",
    arguments: [
      ("Thread 7:", 7, nil, false), ("Thread 7 Crashed:", 7, nil, true),
      ("Thread 7:: sorter", 7, "sorter", false),
      ("Thread 7 Crashed:: Dispatch queue: org.example.q", 7, "org.example.q", true),
      ("Thread 7:: sorter  Dispatch queue: org.example.q", 7, "sorter", false),
      ("Thread 7 Crashed: sorter", 7, "sorter", true), ("Thread 7 Attributed:", 7, nil, true),
      ("Thread 7 name:  a: b\nThread 7:", 7, "a: b", false),
      ("Thread 7 name:  Dispatch queue: q [0x1]\nThread 7 Crashed:", 7, "q [0x1]", true),
      ("Thread 7 name:\nThread 7 Crashed:", 7, nil, true),
    ] as [(String, Int, String?, Bool)])
  func headings(text: String, index: Int, name: String?, crashed: Bool) throws {
    let report = try AppleCrashReaderTests.report(
      "Exception Type: SIGABRT\n\(text)\n0   Gull  0x1234 main + 4\n")
    #expect(report.threads.count == 1)
    #expect(report.threads[0].index == index)
    #expect(report.threads[0].name == name)
    #expect(report.threads[0].crashed == crashed)
    #expect(report.threads[0].frames.count == 1)
  }
}
