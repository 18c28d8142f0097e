import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

/// Output of a program before it ended itself under a sanitizer.
@Suite struct SanitizerMessageTests {
  struct Words: Sendable, CustomTestStringConvertible {
    var printed: String
    var message: String?
    var testDescription: String { printed }
  }

  @Test(
    "What the program printed before it ended itself is the message",
    arguments: [
      Words(
        printed:
          "thread '<unnamed>' panicked at src/row.rs:5:9:\nno oars left\nnote: run with `RUST_BACKTRACE=1`",
        message: "thread '<unnamed>' panicked at src/row.rs:5:9:\nno oars left"),
      Words(
        printed: "thread 'main' panicked at 'no oars left', src/row.rs:5:9",
        message: "thread 'main' panicked at 'no oars left', src/row.rs:5:9"),
      Words(
        printed:
          "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 17 [running]:\nmain.row(...)\n\t/a/row.go:7",
        message: "panic: runtime error: index out of range [5] with length 3"),
      Words(
        printed:
          " === Uncaught Python exception: ===\nIndexError: no oars left\nTraceback (most recent call last):\n  File \"row.py\", line 3",
        message: "IndexError: no oars left"),
      Words(
        printed: "boat: row.c:12: main: Assertion `oars > 0' failed.",
        message: "boat: row.c:12: main: Assertion `oars > 0' failed."),
      Words(
        printed:
          "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no oars left",
        message:
          "terminate called after throwing an instance of 'std::runtime_error'\nwhat():  no oars left"
      ),
      Words(
        printed: "[1101/111812:FATAL:row.cc(51)] Check failed: oars > 0.\n#0 0x1 boat::trace()",
        message: "[1101/111812:FATAL:row.cc(51)] Check failed: oars > 0."),
      Words(
        printed: "#\n# Fatal error in ../../boat/row.cc, line 12\n# Check failed: oars > 0.\n#",
        message: "Fatal error in ../../boat/row.cc, line 12\nCheck failed: oars > 0."),
      Words(
        printed:
          "F0812 20:32:32.874783   47273 row.h:195] no oars left\n*** Check failure stack trace: ***",
        message: "F0812 20:32:32.874783   47273 row.h:195] no oars left"),
      Words(printed: "F16 is no log line] of glog", message: nil),
      Words(
        printed: "[row.cc : 12] RAW: no oars left", message: "[row.cc : 12] RAW: no oars left"),
      Words(
        printed: "[104:3220:0803/071419.059:FATAL:row.cc(716)] V8 error: no oars left.",
        message: "[104:3220:0803/071419.059:FATAL:row.cc(716)] V8 error: no oars left."),
      Words(
        printed: "ASSERTION FAILED: oars > 0\n../../boat/row.cpp(12) : void row()",
        message: "ASSERTION FAILED: oars > 0"),
      Words(
        printed: "GLib:ERROR:../boat/row.c:709:row: assertion failed: (oars > 0)",
        message: "GLib:ERROR:../boat/row.c:709:row: assertion failed: (oars > 0)"),
      Words(
        printed: "CRITICAL ERROR : boat_row: assertion 'oars > 0' failed",
        message: "CRITICAL ERROR : boat_row: assertion 'oars > 0' failed"),
      Words(
        printed:
          "/usr/include/c++/v1/vector:1393: libc++ Hardening assertion !empty() failed: no oars",
        message:
          "/usr/include/c++/v1/vector:1393: libc++ Hardening assertion !empty() failed: no oars"),
      Words(
        printed: "#\n# Fatal process out of memory: oars\n#\n",
        message: "Fatal process out of memory: oars"),
      Words(
        printed: "abort: CSA_ASSERT failed: HasOars(boat) [../../boat/row.cc:15]",
        message: "abort: CSA_ASSERT failed: HasOars(boat) [../../boat/row.cc:15]"),
      Words(printed: "pure virtual method called", message: "pure virtual method called"),
      Words(
        printed: "libc++abi: Pure virtual function called!",
        message: "libc++abi: Pure virtual function called!"),
      Words(printed: "rowing on", message: nil),
      // The messages of an earlier report are not those of this one.
      Words(printed: "panic: no oars left\nSUMMARY: libFuzzer: deadly signal", message: nil),
    ])
  func lastWords(words: Words) throws {
    for headline in [
      "==1== ERROR: libFuzzer: deadly signal",
      "AddressSanitizer:DEADLYSIGNAL\n==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 T0)",
      "==1==ERROR: AddressSanitizer: breakpoint on unknown address 0x1 (pc 0x2 bp 0x3 sp 0x4 T0)",
    ] {
      let report = try #require(
        SanitizerReaderTests.reports(
          words.printed + "\n" + headline + "\n    #0 0x1 in boat::row() row.cc:1\n"
        )
        .last)
      #expect(report.reason.message == words.message)
    }
    // Earlier output does not explain a memory fault, unless nothing can follow that output.
    let fault = try #require(
      SanitizerReaderTests.reports(
        words.printed + "\n==1==ERROR: AddressSanitizer: SEGV on unknown address 0x1 (pc 0x2 T0)\n"
          + "    #0 0x1 in boat::row() row.cc:1\n"
      ).last)
    let isCheck = [
      "Assertion", "FATAL", "Fatal ", "F0812", "RAW: ", "ASSERTION", "GLib:ERROR", "Hardening",
      "abort: ",
    ].contains { words.printed.contains($0) }
    #expect(fault.reason.message == (isCheck ? words.message : nil))
  }

  @Test("V8 out of memory is the same under a sanitizer")
  func memory() throws {
    let report = try #require(
      SanitizerReaderTests.reports(
        """
        #
        # Fatal process out of memory: Zone
        #
        ==1==ERROR: AddressSanitizer: ABRT on unknown address 0x1 (pc 0x2 bp 0x3 sp 0x4 T0)
            #0 0x1 in boat::row() row.cc:1
        """
      ).first)
    #expect(report.kind == .oom && report.reason.message == "Fatal process out of memory: Zone")
  }

  @Test("Each prefix and damaged copy of the text before and after a report")
  func damagedWords() throws {
    let text = Array(
      ("thread 'main' panicked at src/row.rs:5:9:\nno oars\n# Fatal error in a, line 1\n"
        + SanitizerReaderTests.asan
        + "#0 0x1001 in\nboat::row(boat::Oar*,\nint)\n../../boat/row.cc:12:3\n").utf8)
    for end in stride(from: 0, to: text.count, by: 3) {
      _ = FormatRegistry.builtIn.format(of: ByteView(Array(text[..<end])))
    }
    var mutator = Mutator(seed: 7, .bytes(Array("\n #():".utf8)), changes: 6...6)
    for copy in mutator.copies(of: text, count: 500) {
      _ = FormatRegistry.builtIn.format(of: ByteView(copy))
    }
    // A memory fault is a separate report from the panic before it.
    #expect(
      try SanitizerReaderTests.reports(String(decoding: text, as: UTF8.self)).last?.format
        == .sanitizer)
  }
}
