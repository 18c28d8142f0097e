import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite(".NET and Mono")
struct DotNetReaderTests {
  static let unhandled = """
    Unhandled exception. Shop.PaymentException: checkout failed
    second line
     ---> System.FormatException (0x80131537): The input string 'x' was not in a correct format.
       at System.Number.ThrowFormatException[TChar](ReadOnlySpan`1 value)
       at Shop.Till.<Quantity>g__Local|0_1(String s) in C:\\my shop\\Till.cs:line 7
       --- End of inner exception stack trace ---
       at Shop.Till.<Reserve>d__2.MoveNext() in /src/Till.cs:line 40
    --- End of stack trace from previous location ---
       at Shop.Program.Main(String[] args)

    """

  static let mono = """
    Unhandled Exception:
    System.ArgumentOutOfRangeException: Index was out of range.
    Parameter name: index
      at System.Collections.Generic.List`1[T].get_Item (System.Int32 index) [0x0000c] in <12b418a7818c4ca0893feeaaf67f1e7f>:0 
      at (wrapper managed-to-native) Shop.Cart.Look(object,int)
      at Shop.Program.Main (System.String[] a) [0x0014a] in /app/Till.cs:15 
    [ERROR] FATAL UNHANDLED EXCEPTION: System.ArgumentOutOfRangeException: Index was out of range.
    Parameter name: index
      at System.Collections.Generic.List`1[T].get_Item (System.Int32 index) [0x0000c] in <12b418a7818c4ca0893feeaaf67f1e7f>:0 
      at (wrapper managed-to-native) Shop.Cart.Look(object,int)
      at Shop.Program.Main (System.String[] a) [0x0014a] in /app/Till.cs:15 

    """

  static let native = """
    =================================================================
    \tNative Crash Reporting
    =================================================================
    Got a SIGSEGV while executing native code. This usually indicates
    a fatal error in the mono runtime or one of the native libraries
    used by your application.
    =================================================================

    =================================================================
    \tNative stacktrace:
    =================================================================
    \t0x559bfbaa603c - mono : (null)
    \t0x7fc0ef56c472 - /lib/my libs/libc.so.6 : abort
    \t0x40867447 - Unknown

    =================================================================
    \tTelemetry Dumper:
    =================================================================
    Thread 1 (Thread 0x7fc0ef544bc0 (LWP 25556) "mono"):
    #0  0x00007fc0ef619c17 in wait4 () at wait4.c:30

    =================================================================
    \tManaged Stacktrace:
    =================================================================
    \t  at <unknown> <0xffffffff>
    \t  at Shop.Native:Call <0x000a6>
    \t  at Shop.Program:Main <0x0080a>
    =================================================================
    done

    """

  @Test("An earlier exception of another language does not take the stack")
  func otherLanguage() throws {
    let found = try LogReaderChecks.reports(
      """
      Traceback (most recent call last):
        File "/opt/tern/till.py", line 547, in charge
          total = price(item)
      tern.errors.PaymentError: no price

      tern goes on
      Unhandled exception. System.FormatException: no number
         at Tern.Till.Charge(Basket basket) in /src/Till.cs:line 3207
      """)
    #expect(found.map(\.format.description) == ["python-traceback", "dotnet"])
    #expect(
      found.map(\.reason.exception?.type) == ["tern.errors.PaymentError", "System.FormatException"])
  }

  @Test("An unhandled exception with its cause, async and local functions")
  func unhandled() throws {
    let report = try #require(
      try LogReaderChecks.reports("tern: open\n" + Self.unhandled + "tern: closed\n").first)
    #expect(report.format.description == "dotnet" && report.kind == .crash && report.notes.isEmpty)
    let exception = try #require(report.reason.exception)
    #expect(report.reason.type == "Shop.PaymentException")
    #expect(exception.message == "checkout failed\nsecond line")
    #expect(
      exception.frames.map(\.function) == [
        "Shop.Till.<Reserve>d__2.MoveNext()", "Shop.Program.Main(String[] args)",
      ])
    #expect(exception.frames.map(\.line) == [40, nil])
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "System.FormatException" && cause.inner.isEmpty)
    #expect(cause.message == "The input string 'x' was not in a correct format.")
    #expect(cause.frames.map(\.file) == [nil, "C:\\my shop\\Till.cs"])
    #expect(cause.frames.map(\.line) == [nil, 7])
  }

  @Test("Mono prints an unhandled exception twice: it is one report")
  func mono() throws {
    let reports = try LogReaderChecks.reports(Self.mono)
    #expect(reports.count == 1)
    let exception = try #require(reports.first?.reason.exception)
    #expect(exception.message == "Index was out of range.\nParameter name: index")
    #expect(
      exception.frames.map(\.function) == [
        "System.Collections.Generic.List`1[T].get_Item(System.Int32 index)",
        "Shop.Cart.Look(object,int)", "Shop.Program.Main(System.String[] a)",
      ])
    #expect(exception.frames.map(\.symbolOffset) == [0xc, nil, 0x14a])
    #expect(exception.frames.map(\.file) == [nil, nil, "/app/Till.cs"])
    #expect(exception.frames.map(\.line) == [nil, nil, 15])
  }

  @Test("Mono's native crash: the native stack, then the managed one")
  func native() throws {
    let reports = try LogReaderChecks.reports(
      "CLR: Managed code called FailFast, saying \"no \"stock\"\"\n" + Self.native)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.type == "FailFast")
    #expect(report.reason.message == "no \"stock\"")
    #expect(report.images.map(\.name) == ["mono", "libc.so.6"])
    #expect(report.crashedThread == 0)
    #expect(
      report.threads[0].frames.map(\.function) == [
        nil, "abort", "Shop.Native.Call", "Shop.Program.Main",
      ])
    #expect(
      report.threads[0].frames.map(\.address?.value) == [
        0x559b_fbaa_603c, 0x7fc0_ef56_c472, nil, nil,
      ])
  }

  @Test("Mono before 6 prints the managed stack first")
  func oldNative() throws {
    let text = """
      Stacktrace:

        at <unknown> <0xffffffff>
        at (wrapper managed-to-native) Shop.Native.Call (int) <IL 0x00009, 0xffffffff>
        at Shop.Program.Main (string[]) <0x0002b>

      Native stacktrace:

      \tmono(mono_main+0x1f) [0x4a0a83]
      \t/lib/libpthread.so.0(+0x10330) [0x7f8a3b5c7330]

      Debug info from gdb:

      =================================================================
      Got a SIGABRT while executing native code. This usually indicates
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.reason.signal == "SIGABRT")
    #expect(
      report.threads.first?.frames.map(\.function) == [
        "mono_main", nil, "Shop.Native.Call(int)", "Shop.Program.Main(string[])",
      ])
    #expect(report.threads.first?.frames[1].imageOffset == ImageOffset(0x10330))
  }

  @Test(
    "An exception in a log, whatever the words for at, in and line are",
    arguments: [
      "   at Shop.Till.Sum(Int32 n) in C:\\Till.cs:line 31",
      "   bei Shop.Till.Sum(Int32 n) in C:\\Till.cs:Zeile 31.",
      "   в Shop.Till.Sum(Int32 n) в C:\\Till.cs:строка 31",
      "   à Shop.Till.Sum(Int32 n) dans C:\\Till.cs:ligne 31",
      "   場所 Shop.Till.Sum(Int32 n) 場所 C:\\Till.cs:行 31",
      "  at Shop.Till.Sum (Int32 n) [0x00001] in C:\\Till.cs:31 ",
    ])
  func localised(line: String) throws {
    for before in ["", "Unbehandelte Ausnahme: ", "2024-05-01 10:00:00 ERROR tern - "] {
      let text =
        "start\n\(before)Shop.TillError: leer\n\(line)\n   --- Ende der inneren Spur ---\nrest\n"
      let report = try #require(try LogReaderChecks.reports(text).first)
      #expect(report.kind == (before.hasPrefix("2024") ? .handled : .crash))
      #expect(report.reason.exception?.type == "Shop.TillError")
      let frame = try #require(report.reason.exception?.frames.first)
      #expect(frame.function == "Shop.Till.Sum(Int32 n)")
      #expect(frame.file == "C:\\Till.cs" && frame.line == 31)
    }
  }

  @Test("An aggregate has all its causes, the first of them once")
  func aggregate() throws {
    let text = """
      Unhandled Exception: System.AggregateException: One or more errors occurred. ---> Shop.A: first
         at Shop.F.One()
         --- End of inner exception stack trace ---
         at System.Threading.Tasks.Task.Wait()
      ---> (Inner Exception #0) Shop.A: first
         at Shop.F.One()<---

      ---> (Inner Exception #1) Shop.B: second ---> Shop.C: third<---

      ---> (Inner Exception #2) Shop.D: fourth
         at Shop.F.Four() in /f.cs:line 4<---

      """
    let exception = try #require(try LogReaderChecks.reports(text).first?.reason.exception)
    #expect(exception.frames.map(\.function) == ["System.Threading.Tasks.Task.Wait()"])
    #expect(exception.inner.map(\.type) == ["Shop.A", "Shop.B", "Shop.D"])
    #expect(exception.inner[1].inner.map(\.message) == ["third"])
    #expect(exception.inner[2].frames.map(\.line) == [4])
  }

  @Test(
    "Errors of the runtime",
    arguments: [
      (
        "Process terminated. Assertion failed.\nempty till", "Process terminated.",
        "Assertion failed.\nempty till"
      ),
      (
        "Fatal error. System.AccessViolationException: Attempted to read protected memory.",
        "System.AccessViolationException", "Attempted to read protected memory."
      ),
      (
        "Fatal error. Internal CLR error. (0x80131506)", "Fatal error.",
        "Internal CLR error. (0x80131506)"
      ),
      (
        "Stack overflow.\nRepeat 12056 times:\n--------------------------------",
        "System.StackOverflowException", nil
      ),
    ] as [(String, String, String?)])
  func fatal(words: String, type: String, message: String?) throws {
    let report = try #require(
      try LogReaderChecks.reports(
        "\(words)\n   at Shop.Till.F(Int32)\n   at Shop.Program.Main()\nAborted\n"
      ).first)
    #expect(report.reason.type == type && report.reason.message == message)
    #expect(report.reason.exception?.frames.count == 2)
  }

  @Test("A program compiled ahead of time has offsets")
  func nativeAOT() throws {
    let text = """
      Unhandled exception. System.Exception: no stock
         at Shop.Till.Sum(String[]) + 0x1c
         at tern!<BaseAddress>+0x9d45e
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.function) == ["Shop.Till.Sum(String[])", nil])
    #expect(frames[0].symbolOffset == 0x1c && frames[1].imageOffset == ImageOffset(0x9d45e))
    #expect(frames[1].image == 0 && report.images.map(\.name) == ["tern"])
  }

  @Test("The event log of Windows names app and runtime")
  func eventLog() throws {
    let text = """
      Application: tern.exe
      Framework Version: v4.0.30319
      Description: The process was terminated due to an unhandled exception.
      Exception Info: System.NullReferenceException
         at Shop.Till.Sum(Int32)
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.app.name == "tern.exe" && report.os.name == "Windows")
    #expect(report.reason.exception?.type == "System.NullReferenceException")
  }

  @Test(
    "What others print is not an exception of .NET",
    arguments: [
      "Exception in thread \"main\" java.lang.Error: x\n\tat com.acme.Cart.total(Cart.java:3)\n",
      "TypeError: x is undefined\n    at total (/src/cart.js:3:7)\n",
      "Note: see below\nat Shop.Till (the place) we met\n",
      "Unhandled exception:\nException: x\n#0      main (file:///a.dart:3:5)\n",
    ])
  func others(text: String) throws {
    #expect(try LogReaderChecks.reports(text).allSatisfy { $0.format.description != "dotnet" })
  }

  @Test("After a logger's prefix, several in one log")
  func prefixed() throws {
    let log = (Self.unhandled + "x\n" + Self.mono).split(separator: "\n")
      .map { "May 01 10:11:12 host tern[42]: \($0)" }.joined(separator: "\n")
    let reports = try LogReaderChecks.reports(log)
    #expect(
      reports.map(\.reason.type) == ["Shop.PaymentException", "System.ArgumentOutOfRangeException"])
    #expect(reports.map(\.reason.exception?.frames.count) == [2, 3])
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array((Self.unhandled + Self.mono + Self.native).utf8)
    for count in stride(from: 0, to: bytes.count, by: 3) {
      #expect(
        try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self)).count <= 3)
    }
    var mutator = Mutator(seed: 1)
    for _ in 0..<300 {
      let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
      #expect(try LogReaderChecks.reports(text).flatMap(\.threads).flatMap(\.frames).count < 1000)
    }
  }

  @Test("Mono's crash file")
  func crashFile() throws {
    let text = """
      {"protocol_version": "0.0.5", "configuration": {"version": "(6.8.0.105)", "architecture": "amd64"},
       "threads": [
        {"is_managed": false, "crashed": false, "native_thread_id": "0x7f5b", "thread_name": "Finalizer",
         "ctx": {"IP": "0x10", "SP": "0x20", "BP": "(nil)"},
         "unmanaged_frames": [{"is_managed": "false", "native_address": "0x55fc", "native_offset": "0x0"}]},
        {"is_managed": true, "crashed": true, "native_thread_id": "0x7f5c",
         "managed_frames": [
          {"is_managed": "true", "guid": "E9CB1C2A-F862-4912-873C-95A2D8442901", "token": "0x6000003",
           "filename": "Till.exe", "il_offset": "0x00237"}],
         "unmanaged_frames": [{"is_managed": "false", "native_address": "0x66", "unmanaged_name": "abort"}]}
       ]}
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.format.description == "mono-crash" && report.crashedThread == 1)
    #expect(report.device.architecture == .x86_64)
    #expect(report.threads.map(\.name) == ["Finalizer", nil])
    #expect(report.threads[0].registers.map(\.name) == ["ip", "sp"])
    let frame = try #require(report.threads[1].frames.first)
    #expect(frame.function == "Till.exe!0x6000003" && frame.symbolOffset == 0x237)
    #expect(report.images.first?.debugID == DebugID("E9CB1C2A-F862-4912-873C-95A2D8442901"))
    #expect(report.otherStacks.first?.frames.first?.function == "abort")
    let cut = try #require(try LogReaderChecks.reports(String(text.prefix(700))).first)
    #expect(cut.notes.count == 1 && cut.threads.count == 2)
  }
}
