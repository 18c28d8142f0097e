import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

/// Text that users paste into bug reports.
@Suite("Pasted formats")
struct PastedFormatTests {
  private func reports(_ name: String) throws -> [CrashReport] {
    try LogReaderChecks.reports(try LogReaderChecks.sample(name))
  }

  private static let single: [(String, String)] = [
    ("windows-event/null-read-1.0.0.txt", "windows-event"),
    ("windows-event/null-read-1.0.0.wer", "windows-event"),
    ("wine/null-read-1.0.0.txt", "wine"),
    ("crashlytics/missing-price-1.0.0-android.txt", "crashlytics"),
    ("crashlytics/null-read-1.0.0-ios.txt", "crashlytics"),
    ("wasm-runtime/divide-1.0.0.txt", "wasm-runtime"),
  ]

  @Test("After prefixes each is the same report", arguments: single)
  func same(name: String, format: String) throws {
    try LogReaderChecks.expectSame(
      try LogReaderChecks.sample(name), in: ReportFormat(format))
  }

  @Test(
    "Cut off and damaged, each is read or refused",
    arguments: [
      "valgrind/null-read-1.0.0.txt", "windows-event/null-read-1.0.0.txt",
      "windows-event/null-read-1.0.0.wer", "visual-studio/null-read-1.0.0.txt",
      "wine/null-read-1.0.0.txt", "godot/null-read-1.0.0.txt",
      "crashlytics/missing-price-1.0.0-android.txt", "crashlytics/null-read-1.0.0-ios.txt",
      "wasm-runtime/divide-1.0.0.txt", "firmware/null-read-1.0.0-esp32.txt",
      "firmware/null-read-1.0.0-zephyr.txt", "laravel/missing-price-1.0.0.log",
      "bun/null-read-1.1.38.txt",
    ])
  func bounded(name: String) throws {
    try LogReaderChecks.expectBounded(try LogReaderChecks.sample(name))
  }

  @Test("The numbers of WebAssembly's causes and calls are not a prefix")
  func nameless() throws {
    let report = try #require(
      LogReaderChecks.reports(
        """
        Error: failed to run main module `till.wasm`

        Caused by:
            0: failed to invoke `run`
            1: error while executing at wasm backtrace:
                   0:     0x4d - <unknown>!price
                   1:     0x5c - <unknown>!total
                   2:     0x6a - <unknown>!run
            2: wasm trap: integer divide by zero

        """
      ).first)
    #expect(report.format == .wasmRuntime && report.app.name == "till.wasm")
    #expect(report.reason.message == "integer divide by zero")
    #expect(report.threads.first?.frames.map(\.function) == ["price", "total", "run"])
  }

  @Test("Event 1000 as XML whose values have no names")
  func unnamedValues() throws {
    let values = [
      "Tern.exe", "2.16.50.0", "68862e21", "terncore.dll", "2.16.50.0", "68862e00", "c0000005",
      "0000000000308fb6", "0x6e60", "01dc0000aaaabbbb", #"C:\Tern\Tern.exe"#,
      #"C:\Tern\terncore.dll"#,
      "d31cbe9a-2818-4948-ab7f-d6b90b4c90d3",
    ]
    for end in ["", "\n  "] {
      let text =
        "<Event><System><Provider Name=\"Application Error\"/>\(end)<EventID>1000</EventID></System>\(end)"
        + "<EventData>\(end)" + values.map { "<Data>\($0)</Data>\(end)" }.joined()
        + "</EventData></Event>\n"
      let report = try LogReaderChecks.only(text)
      #expect(report.app.name == "Tern.exe" && report.app.version == "2.16.50.0")
      #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION" && report.process.pid == 0x6e60)
      let frame = try #require(report.threads.first?.frames.first)
      #expect(frame.imageOffset == ImageOffset(0x308fb6))
      #expect(frame.image.map { report.images[$0].name } == "terncore.dll")
    }
  }

  @Test("Valgrind: errors after which the program continues, and one with the resulting crash")
  func valgrind() throws {
    let reports = try reports("valgrind/null-read-1.0.0.txt")
    #expect(reports.map(\.kind) == [.handled, .crash, .handled])
    #expect(
      reports.map(\.reason.type) == [
        "Conditional jump or move depends on uninitialised value", "Invalid read", "leak",
      ])
    #expect(reports.allSatisfy { $0.process.pid == 4711 && $0.app.name == "tern" })
    let death = reports[1]
    #expect(death.reason.signal == "SIGSEGV" && death.reason.address == Address(0x18))
    #expect(death.reason.message == "Invalid read of size 8" && death.otherStacks.isEmpty)
    let frames = try #require(death.threads.first?.frames)
    #expect(
      frames.map(\.function) == ["tern::Basket::total() const", "tern::sell(int)", "main"])
    #expect(frames.map(\.line) == [11, 31, 43])
    #expect(frames.map(\.position) == [.exact, .adjusted, .adjusted])
    #expect(reports[0].otherStacks.map(\.frames.count) == [2])
    #expect(reports[0].images.map(\.name) == ["vgpreload_memcheck-amd64-linux.so"])
    let race = try LogReaderChecks.only(
      """
      ==9== Thread 2 printer:
      ==9== Possible data race during read of size 4 at 0x601038 by thread #2
      ==9== Locks held: none
      ==9==    at 0x4005F6: Till::pay() (till.cc:13)
      ==9==    by 0x4005A0: ??? (in /opt/tern/tern)
      ==9==
      ==9== This conflicts with a previous write of size 4 by thread #1
      ==9== Locks held: none
      ==9==    at 0x4005BF: Till::open() (till.cc:7)
      """)
    #expect(race.reason.type == "Possible data race" && race.threads[0].index == 2)
    #expect(race.threads[0].name == "printer" && race.otherStacks.count == 1)
    #expect(race.threads[0].frames.map(\.function) == ["Till::pay()", nil])
  }

  @Test("Windows events in all their forms have the same facts")
  func events() throws {
    let german = """
      Name der fehlerhaften Anwendung: tern.exe, Version: 1.0.0.0, Zeitstempel: 0x68862e21
      Name des fehlerhaften Moduls: terncore.dll, Version: 1.0.0.0, Zeitstempel: 0x68862e22
      Ausnahmecode: 0xc0000005
      Fehleroffset: 0x0000000000001460
      """
    let chinese = """
      错误应用程序名称: tern.exe，版本: 1.0.0.0，时间戳: 0x68862e21
      错误模块名称: terncore.dll，版本: 1.0.0.0，时间戳: 0x68862e22
      异常代码: 0xc0000005
      错误偏移量: 0x0000000000001460
      """
    let xml = """
      <Event><EventData><Data Name='AppName'>tern.exe</Data><Data Name='AppVersion'>1.0.0.0</Data>\
      <Data Name='ModuleName'>terncore.dll</Data><Data Name='ModuleVersion'>1.0.0.0</Data>\
      <Data Name='ExceptionCode'>c0000005</Data><Data Name='FaultingOffset'>0000000000001460</Data>\
      </EventData></Event>
      """
    let bucket = """
      Fault bucket 1234567890123456789, type 4
      Event Name: APPCRASH
      Response: Not available
      Cab Id: 0

      Problem signature:
      P1: tern.exe
      P2: 1.0.0.0
      P3: 68862e21
      P4: terncore.dll
      P5: 1.0.0.0
      P6: 68862e22
      P7: c0000005
      P8: 0000000000001460
      P9:
      """
    let texts = [
      try LogReaderChecks.sample("windows-event/null-read-1.0.0.txt"),
      try LogReaderChecks.sample("windows-event/null-read-1.0.0.wer"), german, chinese, xml, bucket,
    ]
    for text in texts {
      let report = try LogReaderChecks.only(text)
      #expect(report.format == .windowsEvent && report.app.name == "tern.exe")
      #expect(report.app.version == "1.0.0.0" && report.kind == .crash)
      #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION")
      let frame = try #require(report.threads.first?.frames.first)
      #expect(frame.imageOffset == ImageOffset(0x1460) && frame.position == .exact)
      let image = try #require(frame.image.map { report.images[$0] })
      #expect(image.name == "terncore.dll" && image.version == "1.0.0.0")
    }
    let whole = try LogReaderChecks.only(texts[0])
    #expect(whole.process.pid == 0x1267 && whole.process.path == #"C:\Program Files\Tern\tern.exe"#)
    #expect(whole.incident == "d31cbe9a-2818-4948-ab7f-d6b90b4c90d3")
    let line = try LogReaderChecks.only(
      "Faulting application tern.exe, version 1.0.0.0, faulting module terncore.dll, version 1.0.0.0,"
        + " fault address 0x00001460.")
    #expect(line.threads.first?.frames.first?.imageOffset == ImageOffset(0x1460))
    let hang = try LogReaderChecks.only(
      "Event Name: AppHangB1\nP1: tern.exe\nP2: 1.0.0.0\nP3: 68862e21\nP4: ab12\nP5: 134217728")
    #expect(hang.kind == .hang && hang.reason.code == "ab12")
    let overrun = try LogReaderChecks.only(
      """
      Problem Event Name:\tBEX64
      Application Name:\ttern.exe
      Application Version:\t1.0.0.0
      Fault Module Name:\tucrtbase.dll
      Exception Offset:\t000000000007286e
      Exception Code:\tc0000409
      """)
    #expect(overrun.reason.type == "EXCEPTION_STACK_BUFFER_OVERRUN")
    #expect(overrun.threads.first?.frames.first?.imageOffset == ImageOffset(0x7286e))
  }

  @Test("Visual Studio's stack, with the text of its dialog and alone")
  func visualStudio() throws {
    let text = try LogReaderChecks.sample("visual-studio/null-read-1.0.0.txt")
    let report = try LogReaderChecks.only(text)
    #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION")
    #expect(report.reason.address == Address(0x18) && report.app.name == "tern.exe")
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.function) == [
        "tern::Basket::total()", "tern::sell(int item)", "run()", "main(int argc, char * * argv)",
        nil,
      ])
    #expect(frames.map(\.line) == [11, 31, 5, 43, nil] && frames[2].inlined)
    #expect(frames[4].address == Address(0x7ffa_1b2c_257d))
    let start = try #require(text.firstRange(of: ">\t"))
    let alone = try LogReaderChecks.only(String(text[start.lowerBound...]))
    #expect(alone.threads.first?.frames.map(\.function) == frames.map(\.function))
    // A line of the output window alone is not a crash.
    let thrown =
      "Exception thrown at 0x00007FFA1B2C3D4E in tern.exe: Microsoft C++ exception: x at memory"
    #expect(try LogReaderChecks.reports(thrown).isEmpty)
  }

  @Test("Wine: frames in all forms, modules, registers")
  func wine() throws {
    let report = try #require(try reports("wine/null-read-1.0.0.txt").first)
    #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION" && report.reason.code == "READ")
    #expect(report.reason.address == Address(0x18) && report.app.name == "tern.exe")
    #expect(report.os.version == "10" && report.tags[.runtimeVersion] == "wine-9.0")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["tern::Basket::total", nil, "BaseThreadInitThunk"])
    #expect(frames.map(\.imageOffset?.value) == [0x1a2c, 0x1b30, 0x2e4b9])
    #expect(frames[0].line == 11 && report.threads[0].registers.count == 8)
    let notice = try LogReaderChecks.only(
      "wine: Unhandled page fault on read access to 00000018 at address 00401A2C (thread 0024), starting debugger..."
    )
    #expect(notice.reason.address == Address(0x18) && notice.format == .wine)
  }

  @Test("Godot: the engine's crash, on Windows too, and errors of scripts")
  func godot() throws {
    let reports = try reports("godot/null-read-1.0.0.txt")
    #expect(reports.map(\.kind) == [.crash, .handled])
    let crash = reports[0]
    #expect(crash.reason.signal == "SIGSEGV" && crash.app.name == "tern.x86_64")
    #expect(crash.tags[.wrapperVersion] == "4.4.1.stable.official")
    #expect(crash.threads[0].frames.map(\.line) == [nil, 11, 31, nil])
    #expect(crash.threads[0].frames[0].imageOffset == ImageOffset(0x3bcf0))
    let script = try #require(reports[1].reason.exception)
    #expect(script.type == "Invalid call" && script.frames.map(\.line) == [12, 40])
    #expect(script.frames.map(\.function) == ["Till.sell", "_process"])
    let windows = try LogReaderChecks.only(
      """
      CrashHandlerException: Program crashed
      Engine version: Godot Engine v4.3.stable.official (77dcf97d)
      Dumping the backtrace.
      [0] Basket::total (C:\\src\\basket.cpp:11)
      [1] <couldn't map PC to fn name>
      [2] Till::sell (C:\\src\\till.cpp:31)
      -- END OF BACKTRACE --
      """)
    #expect(windows.threads[0].frames.map(\.function) == ["Basket::total", nil, "Till::sell"])
  }

  @Test("Crashlytics: Android's exceptions and Apple's crashes")
  func crashlytics() throws {
    let android = try #require(try reports("crashlytics/missing-price-1.0.0-android.txt").first)
    #expect(android.app.identifier == "app.example.tern" && android.app.build == "100")
    #expect(android.time == Timestamp("2026-05-01T08:12:44Z"))
    let exception = try #require(android.reason.exception)
    #expect(exception.type == "java.lang.IllegalStateException")
    #expect(exception.message == "no price: pencil" && exception.frames.count == 3)
    #expect(exception.inner.map(\.type) == ["java.lang.NullPointerException"])
    #expect(android.threads.map(\.name) == ["DefaultDispatcher-worker-1"])
    let apple = try #require(try reports("crashlytics/null-read-1.0.0-ios.txt").first)
    #expect(apple.reason.type == "EXC_BAD_ACCESS" && apple.reason.address == Address(0x18))
    #expect(apple.crashedThread == 0 && apple.threads.count == 2)
    let frames = apple.threads[0].frames
    #expect(frames[0].function == "Basket.total()" && frames[0].line == 11)
    #expect(frames[0].imageOffset == ImageOffset(0x55baac) && frames[0].symbolOffset == nil)
    #expect(frames[2].symbolOffset == 32 && frames[3].function == nil)
    let raised = try LogReaderChecks.only(
      """
      # Crashlytics - Stack trace
      # Platform: apple
      Non-fatal Exception: NSInternalInconsistencyException
      Invalid update
      0  CoreFoundation                 0x129708 __exceptionPreprocess
      """)
    #expect(raised.kind == .handled && raised.reason.message == "Invalid update")
  }

  @Test("Datadog's crash tracker")
  func crashtracker() throws {
    let report = try #require(try reports("crashtracker/null-read-1.0.0.json").first)
    #expect(report.app.name == "tern" && report.app.version == "1.0.0")
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == Address(0x10) && report.process.pid == 4711)
    #expect(report.threads.map(\.name) == ["main", "printer"] && report.crashedThread == 0)
    #expect(report.threads[0].frames.map(\.imageOffset?.value) == [0x1190, 0x1250])
    #expect(report.threads[0].frames[0].line == 11 && report.images[0].hasBuildID)
  }

  @Test("Firmware: ESP-IDF, Zephyr and faults of Cortex-M")
  func firmware() throws {
    let esp = try #require(try reports("firmware/null-read-1.0.0-esp32.txt").first)
    #expect(esp.app.name == "tern" && esp.app.version == "1.0.0")
    #expect(esp.reason.type == "LoadProhibited" && esp.reason.address == Address(0x18))
    #expect(
      esp.threads[0].frames.map(\.address?.value) == [0x400d_2b1c, 0x400d_2c7d, 0x400d_4a09])
    #expect(esp.threads[0].frames.map(\.position) == [.exact, .adjusted, .adjusted])
    #expect(esp.images.map(\.name) == ["tern.elf"] && esp.notes.count == 1)
    let zephyr = try #require(try reports("firmware/null-read-1.0.0-zephyr.txt").first)
    #expect(zephyr.reason.type == "MPU FAULT" && zephyr.reason.code == "Data Access Violation")
    #expect(zephyr.reason.address == Address(0x18) && zephyr.threads[0].name == "till")
    #expect(zephyr.threads[0].frames.map(\.address?.value) == [0x4728, 0x4710])
    #expect(zephyr.images.map(\.name) == ["firmware"])
    let mbed = try LogReaderChecks.only(
      """
      ++ MbedOS Fault Handler ++

      FaultType: HardFault

      Context:
      R   0: 00000000
      R  12: 00000000
      SP   : 20002F58
      LR   : 000045F9
      PC   : 00004610
      -- MbedOS Fault Handler --
      """)
    #expect(mbed.reason.type == "HardFault")
    #expect(mbed.threads[0].frames.map(\.address?.value) == [0x4610, 0x45f8])
    let riscv = try LogReaderChecks.only(
      """
      Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was unhandled.

      Core  0 register dump:
      MEPC    : 0x42007a3e  RA      : 0x42007a52  SP      : 0x3fc8f510  GP      : 0x3fc8a800
      MCAUSE  : 0x00000007  MTVAL   : 0x00000018

      Stack memory:
      3fc8f510: 0x00000000 0x00000000 0x00000000 0x42007a52
      """)
    #expect(riscv.threads[0].frames.map(\.position) == [.exact, .returnAddress])
    #expect(riscv.device.architecture == .riscv32 && riscv.reason.address == Address(0x18))
    // Messages alone are not a report.
    #expect(try LogReaderChecks.reports("BusFault and HardFault are enabled\n").isEmpty)
  }

  @Test("Laravel: the exception with the previous one, including escapes")
  func laravel() throws {
    let report = try #require(try reports("laravel/missing-price-1.0.0.log").first)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "Error" && report.kind == .handled)
    #expect(exception.message == "Call to a member function value() on null")
    #expect(
      exception.frames.map(\.function) == ["Tern\\Basket->total", "Tern\\Till->sell", "{main}"])
    #expect(exception.frames.map(\.line) == [11, 31, 37])
    #expect(exception.inner.map(\.message) == [#"no price: "pencil""#])
    #expect(report.time == Timestamp("2026-05-01T10:12:44Z"))
  }

  // The first link and its numbers are from the tests of bun.report; the second was made by a Python script.
  @Test("The stack in Bun's link, and truncated links")
  func bunLink() throws {
    func trace(_ link: String) -> BunTrace? {
      BunTrace(ByteView(Array("https://bun.report/\(link)".utf8)).bytes)
    }
    let real = try #require(
      trace("1.3.11/M_1a2743b6mgkgEuhooC_u3z6pBu3z6pBu4xza+rnoV__A2km73lb1r6yzvC"))
    #expect(real.version == "1.3.11" && real.commit == "a2743b6")
    #expect(
      real.calls.map(\.offset) == [0, 21_931_895, 21_931_895, 13_951_879, 11_144_895, 0, 0])
    #expect(real.calls.map { $0.owner == .bun } == [false, true, true, true, true, false, false])
    let named = try #require(trace("1.3.2/wr2abcdef0AA=CUlibtern.sowCoBA1"))
    #expect(named.calls.map(\.owner) == [.script, .image("libtern.so"), .bun])
    #expect(named.calls.map(\.offset) == [0, 40, 20])
    for link in [
      "", "1.3.11", "1.3.11/M_1a2743b6", "1.3.11/M_1a2743b6mgkgEuhooC_u3z6pBu3",
      "1.3.11/M_3a2743b6AAA", "1.3.2/wr2abcdef0AACggggggggA", "1.3.2/wr2abcdef0AAC////DA",
      "1.3.2/wr2abcdef0AADA",
    ] {
      #expect(trace(link) == nil, "\(link)")
    }
  }

  @Test("Bun's own crash, and errors in Safari's console")
  func consoles() throws {
    let bun = try #require(try reports("bun/null-read-1.1.38.txt").first)
    #expect(bun.app.version == "1.1.38" && bun.app.build == "bf2c9e6" && bun.os.name == "Linux")
    #expect(bun.reason.signal == "SIGSEGV" && bun.reason.address == Address(0x18))
    #expect(bun.properties["bun.report"]?.hasPrefix("https://bun.report/1.1.38/") == true)
    let frames = try #require(bun.threads.first?.frames)
    #expect(frames.map(\.imageOffset?.value) == [nil, 0x14ea7b6, 0x2fdc1c2, nil, 0x2a1b33])
    #expect(frames.allSatisfy { $0.position == .adjusted } && bun.images.map(\.name) == ["bun"])
    let safari = try LogReaderChecks.only(
      """
      [Error] Unhandled Promise Rejection: TypeError: undefined is not an object (evaluating 'till.total')
      \ttotal (till.js:171:27)
      \t(anonymous function) (till.js:140)
      \tpromiseReactionJob
      [Log] done
      """)
    #expect(safari.format == .javaScript && safari.reason.type == "TypeError")
    #expect(
      safari.reason.exception?.frames.map(\.function) == ["total", nil, "promiseReactionJob"])
    #expect(safari.reason.exception?.frames.map(\.line) == [171, 140, nil])
  }

  @Test("The Play Console's threads of an app that did not respond")
  func playConsole() throws {
    let report = try LogReaderChecks.only(
      """
      "main" prio=5 tid=1 Blocked
        #00  pc 0x00000000000d2fe8  /apex/com.android.runtime/lib64/bionic/libc.so (__epoll_pwait+8)
        at app.example.tern.Till.pay (Till.kt:31)
        - waiting to lock <0x0cda70b3> (a java.lang.Object) held by thread 14

      "printer" prio=5 tid=14 Native
        at app.example.tern.Printer.print (Printer.kt:120)
      """)
    #expect(report.format == .androidANR && report.kind == .hang && report.crashedThread == 0)
    #expect(report.threads.map(\.name) == ["main", "printer"])
    #expect(
      report.threads[0].frames.map(\.function) == ["__epoll_pwait", "app.example.tern.Till.pay"])
    #expect(report.tags[.lockHolder] == "1" && report.tags[.threadState] == "Blocked")
  }

  @Test("WebAssembly in traces of browsers and runtimes")
  func wasm() throws {
    let traces = [
      """
      RuntimeError: divide by zero
          at price (wasm://wasm/till.wasm-0a1b2c3d:wasm-function[0]:0x4d)
          at total (wasm://wasm/till.wasm-0a1b2c3d:wasm-function[1]:0x5c)
          at main (https://shop.example/app.js:10:5)
      """,
      """
      RuntimeError: integer divide by zero
      price@https://shop.example/till.wasm:wasm-function[0]:0x4d
      total@https://shop.example/till.wasm:wasm-function[1]:0x5c
      main@https://shop.example/app.js:10:5
      """,
      """
      RuntimeError: integer divide by zero
          at price (till.wasm[0]:0x4d)
          at total (till.wasm[1]:0x5c)
          at main (https://shop.example/app.js:10:5)
      """,
    ]
    for trace in traces {
      let report = try LogReaderChecks.only(trace)
      let frames = try #require(report.reason.exception?.frames)
      #expect(frames.map(\.function) == ["price", "total", "main"])
      #expect(frames.map(\.imageOffset?.value) == [0x4d, 0x5c, nil])
      #expect(frames.map(\.image) == [0, 0, nil] && frames[2].line == 10)
      #expect(report.images.map(\.name) == ["till.wasm"])
      #expect(report.images.map(\.architecture) == [.wasm32])
    }
    let unnamed = try LogReaderChecks.only(
      "RuntimeError: unreachable\n    at wasm://wasm/0a1b2c3d:wasm-function[7]:0x4d\n")
    #expect(unnamed.images.map(\.name) == ["wasm"] && unnamed.images[0].path == nil)
    let trap = try #require(try reports("wasm-runtime/divide-1.0.0.txt").first)
    #expect(trap.reason.type == "wasm trap" && trap.reason.message == "integer divide by zero")
    #expect(trap.threads[0].frames.map(\.function) == ["price", "total", nil])
    #expect(trap.threads[0].frames.map(\.imageOffset?.value) == [0x4d, 0x5c, 0x6a])
    #expect(trap.threads[0].frames[0].line == 1 && trap.app.name == "till.wasm")
  }

  @Test("An envelope of Sentry with its items")
  func envelope() throws {
    let event =
      #"{"event_id": "b1", "platform": "python", "level": "error", "exception": {"values": [{"type": "E","#
      + #" "value": "no till"}]}}"#
    let items = [
      #"{"type": "session", "length": 2}"#, "{}",
      #"{"type": "event", "length": \(event.utf8.count)}"#,
      event, #"{"type": "attachment", "length": 3, "filename": "a.log"}"#, "a\nb",
    ]
    for header in [#"{"event_id": "b1", "dsn": "https://k@o1.example/1"}"#, "{}"] {
      let text = ([header] + items).joined(separator: "\n")
        .replacing(#"\(event.utf8.count)"#, with: "\(event.utf8.count)")
      let report = try LogReaderChecks.only(text)
      #expect(report.reason.exception?.message == "no till" && report.notes.count == 1)
    }
    let open = "{}\n{\"type\": \"event\"}\n\(event)"
    #expect(try LogReaderChecks.only(open).reason.exception?.type == "E")
    #expect(try LogReaderChecks.reports("{}\n{\"type\": \"session\", \"length\": 2}\n{}").isEmpty)
  }

  @Test("An event of Sentry with an exception and no stack")
  func bareEvent() throws {
    let report = try LogReaderChecks.only(
      """
      {"event_id": "b10c7808c22249398a2e2473e3db556f", "platform": "python", "level": "error",
       "exception": {"values": [{"type": "ValueError", "value": "no till"}]}}
      """)
    #expect(report.reason.exception?.type == "ValueError")
    #expect(report.reason.exception?.message == "no till")
    #expect(try LogReaderChecks.reports(#"{"event_id": "b1", "message": "hello"}"#).isEmpty)
  }
}
