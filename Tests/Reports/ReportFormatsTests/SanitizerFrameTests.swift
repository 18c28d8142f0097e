import Bytes
import Testing

@testable import ReportFormats

/// Facts in a line of a sanitizer's stack. Each form is one that a runtime prints.
@Suite struct SanitizerFrameTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var line: String
    var address: UInt64?
    var function: String?
    var file: String?
    var number: Int?
    var column: Int?
    var module: String?
    var offset: UInt64?
    var buildID: String?
    var testDescription: String { line }
  }

  static let forms: [Form] = [
    Form(
      line: "#0 0x1 in row<A, B> ../../boat/row.cc:0:3", address: 1, function: "row<A, B>",
      file: "../../boat/row.cc"),
    Form(
      line: "#0 0x1 in non-virtual thunk to boat::Oar::row(bool) boat/row.cc:0", address: 1,
      function: "non-virtual thunk to boat::Oar::row(bool)", file: "boat/row.cc"),
    Form(
      line: "#0 0x1 in non-virtual thunk to boat::Oar::row boat/row.cc:7:3", address: 1,
      function: "non-virtual thunk to boat::Oar::row", file: "boat/row.cc", number: 7, column: 3),
    Form(
      line: "#0 0x1 in row http://go/boat/+/1f26d55c//boat/row.c#54;boat//row.c;", address: 1,
      function: "row", file: "boat//row.c", number: 54),
    Form(line: "#0 0x1 in row row.cc:0", address: 1, function: "row", file: "row.cc"),
    Form(line: "#0 0x1 in row ??:0:0", address: 1, function: "row"),
    Form(line: "#0 0x1 in ?? ??:0:0", address: 1),
    Form(line: "#3 0x7b in", address: 0x7b),
    Form(line: "#3 0x7b in input", address: 0x7b, function: "input"),
    Form(
      line: "#2 0x1 in Boat.row(_: Boat.Oar) -> Boat.Never", address: 1,
      function: "Boat.row(_: Boat.Oar) -> Boat.Never"),
    Form(
      line: "#2 0x1 in closure #1 in Boat.row Boat/Row.swift:9:1", address: 1,
      function: "closure #1 in Boat.row", file: "Boat/Row.swift", number: 9, column: 1),
    Form(
      line: "#0 0x4010 in boat::row(boat::Oar const&, int) /src/boat/row.cpp:7:15", address: 0x4010,
      function: "boat::row(boat::Oar const&, int)", file: "/src/boat/row.cpp", number: 7, column: 15
    ),
    Form(
      line: "#1 0x4020 in main /src/my boat (old)/main.c:12", address: 0x4020, function: "main",
      file: "/src/my boat (old)/main.c", number: 12),
    Form(
      line: "#2 0x4030 in main sub dir/main.c:3:4", address: 0x4030, function: "main",
      file: "sub dir/main.c", number: 3, column: 4),
    Form(
      line: "#3 0x4040 in __libc_start_main ../csu/libc-start.c:360:3", address: 0x4040,
      function: "__libc_start_main", file: "../csu/libc-start.c", number: 360, column: 3),
    Form(
      line: "#4 0x4050 in _start (/opt/a b/(x) boat+0x1050) (BuildId: 00ff)", address: 0x4050,
      function: "_start", module: "/opt/a b/(x) boat", offset: 0x1050, buildID: "00ff"),
    Form(
      line: "#5 0x4060  (/opt/boat+0x1060) (BuildId: abcd)", address: 0x4060, module: "/opt/boat",
      offset: 0x1060, buildID: "abcd"),
    Form(
      line: "#6 0x4070 (/opt/boat+0x1070)", address: 0x4070, module: "/opt/boat", offset: 0x1070),
    Form(line: "#7 0x4080  (<unknown module>)", address: 0x4080),
    Form(
      line: "#8 boat::sink() /src/sink.cpp:19 (boat+0x2337)", function: "boat::sink()",
      file: "/src/sink.cpp", number: 19, module: "boat", offset: 0x2337),
    Form(
      line: "#9 <null> <null> (boat+0xfd911) (BuildId: 12)", module: "boat", offset: 0xfd911,
      buildID: "12"),
    Form(
      line: "#10 std::thread::_M_start(std::unique_ptr<A, B>, void (*)()) <null> (libx.so.6+0xd4)",
      function: "std::thread::_M_start(std::unique_ptr<A, B>, void (*)())", module: "libx.so.6",
      offset: 0xd4),
    Form(
      line: #"#11 0x7ff6 in boat::`anonymous namespace'::Row C:\b\my src\row.cc:294:25"#,
      address: 0x7ff6, function: "boat::`anonymous namespace'::Row", file: #"C:\b\my src\row.cc"#,
      number: 294, column: 25),
    Form(
      line: #"#12 0x7ff7 in RtlUserThreadStart (C:\Windows\ntdll.dll+0x180067090)"#,
      address: 0x7ff7, function: "RtlUserThreadStart", module: #"C:\Windows\ntdll.dll"#,
      offset: 0x1_8006_7090),
    Form(
      line: "#13 0x104 in -[Boat row:with:] Boat.m:31 (Boat:arm64e+0x100002b40) (BuildId: aa)",
      address: 0x104, function: "-[Boat row:with:]", file: "Boat.m", number: 31, module: "Boat",
      offset: 0x1_0000_2b40, buildID: "aa"),
    Form(
      line: "#14   0x000071dc in main ../src/toy.cc:12 <libc.so>+0xacf4c", address: 0x71dc,
      function: "main", file: "../src/toy.cc", number: 12, module: "libc.so", offset: 0xacf4c),
    Form(
      line: "#15 0x9000 in operator delete(void*)", address: 0x9000,
      function: "operator delete(void*)"),
    Form(line: "#16 0x9010 in strlen", address: 0x9010, function: "strlen"),
    Form(
      line: "#17 0x9020 in operator-> lib/include/memory:2713:76", address: 0x9020,
      function: "operator->", file: "lib/include/memory", number: 2713, column: 76),
    Form(
      line: "#18 0xzz12 in raise (/lib/libc.so.6+0x90)", function: "raise",
      module: "/lib/libc.so.6", offset: 0x90),
    Form(
      line: "#19 0x9030 boat::Trace() [base/trace.cc:12:7]", address: 0x9030,
      function: "boat::Trace()", file: "base/trace.cc", number: 12, column: 7),
    Form(
      line: "#20 0x9040 in f /src/a.c:0", address: 0x9040, function: "f", file: "/src/a.c"),
    Form(
      line: "#21 0x9050 in f /src/a.c:99999999999999999999", address: 0x9050, function: "f",
      file: "/src/a.c:99999999999999999999"),
    Form(
      line: "#22 0xfffffffffffffffff in f (/bin/x+0x11111111111111111)",
      function:
        "f (/bin/x+0x11111111111111111)"),
  ]

  @Test("Every form", arguments: forms)
  func form(_ form: Form) throws {
    let view = ByteView(form.line.utf8)
    let read = SanitizerFrame(view.bytes)
    let frame = try #require(read)
    #expect(frame.address == form.address)
    #expect(frame.function == form.function)
    #expect(frame.file == form.file)
    #expect(frame.line == form.number)
    #expect(frame.column == form.column)
    #expect(frame.module?.path == form.module)
    #expect(frame.module?.offset == form.offset)
    #expect(frame.module?.buildID == form.buildID)
  }

  @Test(
    "Lines that are not frames",
    arguments: [
      "", "#", "# 0x1", "#x 0x1", "#0", "#0 ", "#0x1 in f", "#99999999999999999999 0x1 in f",
      "0 0x1 in f", "#0 <unknown>", "#include <a.h>",
    ])
  func noFrame(_ line: String) {
    let view = ByteView(line.utf8)
    let isFrame = SanitizerFrame(view.bytes) != nil
    #expect(!isFrame)
  }

  @Test(
    "libFuzzer's progress is not a stack",
    arguments: [
      "#413\tREAD units: 413", "#2\tINITED cov: 5 ft: 5 corp: 1/1b exec/s: 0 rss: 30Mb",
      "#225\tNEW    cov: 6 ft: 6 corp: 2/2b lim: 6 exec/s: 0 rss: 30Mb L: 1/1 MS: 3 ChangeBit-",
      "#1024\tpulse  cov: 9 corp: 5/9b lim: 6",
    ])
  func progress(line: String) {
    let bytes = Array(line.utf8)
    #expect(SanitizerFrame(unsafe bytes.span.bytes) == nil)
  }
}
