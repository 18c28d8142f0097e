import Bytes
import CrashModel
import Identifiers
import ReportFormats
import Testing

@Suite struct SwiftBacktraceJSONTests {
  static let json = """
    { "timestamp": "2024-05-01T10:11:12.5Z", "kind": "crashReport", "description": "Illegal instruction", \
    "faultAddress": "0x00007f0000001000", "platform": "Linux (Debian GNU/Linux 12 (bookworm))", \
    "architecture": "x86_64", "threads": [ { "name": "boat", "crashed": true, \
    "registers": {"rax": "0xffffffffffffffff", "rip": "0x00007f0000001000"}, "frames": [ \
    { "kind": "programCounter", "address": "0x00007f0000001000", "inlined": true, "symbol": "fail", \
    "offset": 0, "description": "fail", "image": "libcore.so", "sourceLocation": { "file": \
    "//<compiler-generated>", "line": 0, "column": 0 } }, \
    { "kind": "programCounter", "address": "0x00007f0000001000", "symbol": "$s4core4stopyyF", \
    "offset": 12, "description": "stop() + 12", "image": "libcore.so" }, \
    { "kind": "returnAddress", "address": "0x0000558000001010", "symbol": "$s4boat3rowyyF", \
    "offset": 16, "image": "boat", "sourceLocation": { "file": "/src/row.swift", "line": 11, "column": 19 } }, \
    { "kind": "omittedFrames", "count": 4000000000 }, \
    { "kind": "asyncResumePoint", "address": "0x0000558000001020", "image": "boat" }, \
    { "kind": "returnAddressInAsync", "address": "0x0000558000001030", "image": "boat" }, \
    { "kind": "programCounterInAsync", "address": "0x0000558000001040" }, \
    { "kind": "truncated" } ] } ], "omittedImages": 18, "images": [ { "name": "boat", "buildId": \
    "00112233445566778899aabbccddeeff01020304", "path": "/opt/boat", "baseAddress": "0x0000558000000000", \
    "endOfText": "0x0000558000008000" }, { "name": "libcore.so", "path": "/lib/libcore.so", \
    "baseAddress": "0x00007f0000000000", "endOfText": "0x00007f0000100000" } ], "backtraceTime": 0.1 }

    """

  static let logged =
    "rowing { 1 }\nboat/row.swift:3: Fatal error: the oar\n\n"
    + "*** Signal 5: Backtracing from 0x1... done ***\n\n" + json + "done { }\n"

  static func reports(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  @Test("Alone in a file", arguments: ["", "\u{feff}", "\r\n  "])
  func alone(lead: String) throws {
    let reports = try Self.reports(lead + Self.json)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format == .swiftBacktraceJSON)
    #expect(report.time == Timestamp("2024-05-01T10:11:12.5Z"))
    #expect(report.reason.signal == "SIGILL")
    #expect(report.reason.address == Address(0x7f00_0000_1000))
    #expect(report.reason.message == nil)
    #expect(report.process.path == "/opt/boat")
    #expect(report.crashedThread == 0)
    #expect(report.threads[0].registers.first == Register("rax", .max))
    #expect(report.images.map(\.size) == [0x8000, 0x100000])
    #expect(report.images[0].debugID == DebugID("33221100-5544-7766-8899-aabbccddeeff"))
    #expect(report.notes.isEmpty)
  }

  @Test("After text on one stream, which contains the message and the signal")
  func logged() throws {
    let reports = try Self.reports(Self.logged)
    #expect(reports.map(\.reason.message) == ["boat/row.swift:3: Fatal error: the oar"])
    #expect(reports.map(\.reason.signal) == ["SIGTRAP"])
  }

  @Test("Kinds of frames, in both vocabularies")
  func frames() throws {
    let frames = try #require(try Self.reports(Self.json).first).threads[0].frames
    #expect(
      frames.map(\.position) == [
        .exact, .exact, .returnAddress, .exact, .returnAddress, .exact,
      ])
    #expect(frames.map(\.inlined) == [true, false, false, false, false, false])
    #expect(frames.map(\.function) == ["fail", "stop()", nil, nil, nil, nil])
    #expect(frames.map(\.symbol) == [nil, "$s4core4stopyyF", "$s4boat3rowyyF", nil, nil, nil])
    #expect(frames.map(\.symbolOffset) == [nil, 12, 16, nil, nil, nil])
    #expect(frames.map(\.file) == [nil, nil, "/src/row.swift", nil, nil, nil])
    #expect(frames.map(\.image) == [1, 1, 0, 0, 0, 0])
    #expect(
      frames.map(\.imageOffset?.value) == [0x1000, 0x1000, 0x1010, 0x1020, 0x1030, 0x1040])
  }

  @Test("Truncated in the middle, the data before is there")
  func cut() throws {
    let text = Self.json
    let end = try #require(text.range(of: "omittedFrames"))
    let reports = try Self.reports(String(text[..<end.lowerBound]))
    #expect(reports.first?.threads.first?.frames.count == 3)
    #expect(reports.first?.notes.count == 1)
  }

  @Test("Damaged in the middle, the data before is there, and so is the next report")
  func damaged() throws {
    let end = try #require(Self.json.range(of: "omittedFrames"))
    for tail in ["", "\"", "\" ]", "\n\n!"] {
      let reports = try Self.reports(Self.json[..<end.lowerBound] + tail + "\n" + Self.json)
      #expect(reports.count == 2)
      #expect(reports.first?.threads.first?.frames.count == 3)
      #expect(reports.first?.notes.isEmpty == false && reports.last?.notes.isEmpty == true)
      #expect(reports.last?.threads.first?.frames.count == 6)
    }
  }
}

extension String {
  /// The first position of `other`.
  fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
}
