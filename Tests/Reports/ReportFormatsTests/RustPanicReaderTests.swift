import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Rust panics")
struct RustPanicReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .rustPanic)
    return reports[0]
  }

  @Test("A short backtrace has names and locations, without addresses")
  func short() throws {
    let report = try one(try LogReaderChecks.sample("rust-panic/index-thread.txt"))
    let exception = try #require(report.reason.exception)
    #expect(report.reason.type == "panic" && report.tags[.threadName] == "till 3")
    #expect(Int(report.tags[.threadID] ?? "") != nil)
    #expect(exception.message == "index out of bounds: the len is 0 but the index is 7")
    #expect(report.reason.message == exception.message && report.reason.code == "tern.rs:11:19")
    try #require(exception.frames.count == 9)
    #expect(exception.frames[6].function == "tern::Desk::line")
    #expect(exception.frames[6].file == "/app/tern.rs")
    #expect(exception.frames[6].line == 11 && exception.frames[6].column == 19)
    #expect(exception.frames.allSatisfy { $0.address == nil })
    #expect(exception.inner.isEmpty && report.notes.isEmpty)
  }

  @Test("A full backtrace has return addresses, and inlined calls")
  func full() throws {
    let report = try one(try LogReaderChecks.sample("rust-panic/index-full.txt"))
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.allSatisfy { $0.address != nil && $0.position == .returnAddress })
    let line = try #require(
      frames.firstIndex { $0.function?.hasPrefix("tern::Desk::line") == true })
    #expect(frames[line].inlined && frames[line].address == frames[line + 1].address)
    #expect(frames.last?.address == Address(0) && frames.last?.function == nil)
  }

  @Test("A panic during unwinding is one report, with the first panic as its root")
  func double() throws {
    let report = try one(try LogReaderChecks.sample("rust-panic/panic-in-drop.txt"))
    let exception = try #require(report.reason.exception)
    #expect(exception.message == "panic in a destructor during cleanup")
    #expect(report.reason.signal == "SIGABRT")
    #expect(exception.inner.map(\.message) == ["desk is still open"])
    #expect(
      exception.inner.first?.inner.map(\.message) == [
        "index out of bounds: the len is 0 but the index is 7"
      ])
  }

  @Test("Earlier panics of other threads stay separate reports")
  func others() throws {
    let reports = try LogReaderChecks.reports(
      """
      thread 'till' panicked at src/a.rs:1:2:
      no boat
      note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
      thread 'main' panicked at src/b.rs:3:4:
      no oar
      thread 'main' panicked at src/c.rs:5:6:
      no water
      thread panicked while processing panic. aborting.
      """)
    #expect(reports.map(\.reason.exception?.message) == ["no boat", "no water"])
    #expect(reports.last?.reason.exception?.inner.map(\.message) == ["no oar"])
  }

  @Test(
    "The forms of all versions",
    arguments: [
      (
        "thread 'main' panicked at 'no boat', src/main.rs:3:5\nnote: run with `RUST_BACKTRACE=1`",
        "main", "no boat"
      ),
      ("thread 'main' panicked at 'no boat\nor oar', src/main.rs:3:5", "main", "no boat\nor oar"),
      (
        "thread '<unnamed>' panicked at src/main.rs:3:5:\nno boat\nnote: run with `RUST_BACKTRACE=1`",
        nil, "no boat"
      ),
      ("thread 'a 'b' (7)' (4711) panicked at src/main.rs:3:5:\nno boat", "a 'b' (7)", "no boat"),
      (
        "thread '<unnamed>' (4711) panicked at src/main.rs:3:5:\nno boat\nan hour later\n", nil,
        "no boat"
      ),
      (
        "thread 'main' panicked at src/main.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nlater\n",
        "main",
        "assertion `left == right` failed\nleft: 1\nright: 2"
      ),
      (
        "The application panicked (crashed).\nMessage:  no boat\nLocation: src/main.rs:3\n\nBacktrace omitted.\n",
        nil,
        "no boat"
      ),
    ] as [(String, String?, String)])
  func forms(text: String, thread: String?, message: String) throws {
    let report = try one(text)
    #expect(report.tags[.threadName] == thread)
    #expect(report.reason.exception?.message == message)
    // The place where it was raised is its whole stack.
    #expect(report.reason.exception?.frames.map(\.file) == ["src/main.rs"])
    #expect(report.reason.exception?.frames.map(\.line) == [3])
  }

  @Test("Backtraces of color-eyre, with sources and hidden frames between")
  func colorEyre() throws {
    let report = try one(
      """
      The application panicked (crashed).
      Message:  no boat
      Location: src/main.rs:3

        ━━━━━━━━━━━━━━ BACKTRACE ━━━━━━━━━━━━━━━
                      ⋮ 6 frames hidden ⋮
         7: tern::charge::h0123456789abcdef
            at src/main.rs:3
              1 │ fn main() {
              2 │   panic!("no boat")
         8: tern::main::h0123456789abcdef
            at src/main.rs:9
                      ⋮ 9 frames hidden ⋮
      """)
    #expect(
      report.reason.exception?.frames.map(\.function) == [
        "tern::charge::h0123456789abcdef", "tern::main::h0123456789abcdef",
      ])
  }

  @Test("Errors that main returns have their causes")
  func errors() throws {
    let report = try one(
      """
      Error: failed to open the till

      Caused by:
          0: no file
          1: No such file or directory (os error 2)

      Stack backtrace:
         0: anyhow::error::<impl anyhow::Error>::msg
         1: tern::main
                   at ./src/main.rs:9:5
      """)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "Error" && exception.message == "failed to open the till")
    #expect(exception.inner.map(\.message) == ["no file"])
    #expect(
      exception.inner.first?.inner.map(\.message) == ["No such file or directory (os error 2)"])
    #expect(exception.frames.map(\.line) == [nil, 9])
    let single = try one("Error: no till\n\nCaused by:\n    no file\n\nlater\n")
    #expect(single.reason.exception?.inner.map(\.message) == ["no file"])
    let eyre = try one(
      "Error: \n   0: no till\n   1: no file\n\nLocation:\n   src/main.rs:10\n\nBacktrace omitted.\n"
    )
    #expect(eyre.reason.exception?.message == "no till" && eyre.reason.code == "src/main.rs:10")
    #expect(eyre.reason.exception?.inner.map(\.message) == ["no file"])
  }

  @Test("A stack overflow has no stack but a thread")
  func overflow() throws {
    let report = try one(
      "\nthread 'main' (24851) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n"
    )
    #expect(report.reason.message == "thread 'main' (24851) has overflowed its stack")
    #expect(report.tags[.threadName] == "main" && report.tags[.threadID] == "24851")
  }

  @Test("Fuchsia's markup names images")
  func fuchsia() throws {
    let report = try one(
      """
      thread '<unnamed>' panicked at 'it works!', src/lib.rs:22:17
      stack backtrace:
       [[[ELF module #0x0 "" BuildID=09859c99ea115fa1 0x21132082b000]]]
       [[[ELF module #0xa "libc.so" BuildID=881f5d29c6d74df8 0x4070f5931000]]]
          #0.1  0x00002113208e3bff in tern::charge src/lib.rs:93 <>+0xb8bff
          #0    0x00002113208e3bff in tern::main src/main.rs:9 <>+0xb8bff
          #1    0x00004070f5931abc in <libc.so>+0xabc
      """)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.image) == [0, 0, 1])
    #expect(frames.map(\.imageOffset?.value) == [0xb8bff, 0xb8bff, 0xabc])
    #expect(frames.map(\.inlined) == [true, false, false])
    #expect(frames.map(\.function) == ["tern::charge", "tern::main", nil])
    #expect(report.images.map(\.codeID?.description) == ["09859c99ea115fa1", "881f5d29c6d74df8"])
  }

  @Test("A panic under libFuzzer is the fuzzer's exception")
  func fuzzer() throws {
    let reports = try LogReaderChecks.reports(
      "thread '<unnamed>' panicked at 'no boat', src/lib.rs:5:9\nnote: run with `RUST_BACKTRACE=1`\n"
        + "==7== ERROR: libFuzzer: deadly signal\n    #0 0x5557592e76d8 in fuzzer::PrintStackTrace() a.cpp:2:5\n"
        + "SUMMARY: libFuzzer: deadly signal\n")
    #expect(reports.map(\.format) == [.sanitizer])
    #expect(reports.first?.reason.exception?.message == "no boat")
  }

  @Test(
    "Other lines are not panics",
    arguments: [
      "the crowd panicked at 3:5:", "Error: no boat\n", "Caused by:\n  the weather\n",
      "Message:  no boat\nLocation: here\n", "Error: a\n\n\n\nnext\nStack backtrace\n",
    ])
  func notPanics(text: String) throws { #expect(try LogReaderChecks.reports(text).isEmpty) }

  @Test("Prefixed and repeated, it is the same; truncated and damaged, it is read or refused")
  func hostile() throws {
    for name in ["index-thread", "index-full"] {
      let text = try LogReaderChecks.sample("rust-panic/\(name).txt")
      try LogReaderChecks.expectSame(text, in: .rustPanic)
      try LogReaderChecks.expectBounded(text)
    }
  }
}
