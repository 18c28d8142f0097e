import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Apple text reports")
struct AppleCrashReaderTests {
  static func report(_ text: some StringProtocol) throws -> CrashReport {
    let reports = try AppleCrashReader.reports(in: ByteView(text.utf8))
    try #require(reports.count == 1)
    return reports[0]
  }

  @Test("An iOS report: who, when, where, why")
  func iOSHead() throws {
    let report = try Self.report(AppleSamples.iOSText)
    #expect(report.format == .appleCrash && report.kind == .crash)
    #expect(report.incident == "AAAAAAAA-0000-0000-0000-000000000002")
    #expect(report.install == "0123456789abcdef0123456789abcdef01234567")
    #expect(
      report.app
        == AppIdentity(
          name: "Tern", identifier: "org.example.tern", version: "2.4.1", build: "512"))
    #expect(report.os == OperatingSystem(name: "iOS", version: "14.2", build: "18B92"))
    #expect(report.device == Device(model: "iPhone12,1", architecture: .arm64))
    #expect(report.time?.description == "2020-10-14T22:09:20.9645Z")
    #expect(
      report.process
        == ProcessDetails(
          name: "Tern", pid: 811, path: "/private/var/containers/Tern.app/Tern", uptime: 0.5))
    #expect(report.reason.type == "EXC_CRASH" && report.reason.signal == "SIGABRT")
    #expect(report.reason.message?.hasPrefix("*** Terminating app due to uncaught") == true)
    #expect(report.reason.exception?.type == "TernException")
    #expect(report.reason.exception?.message == "the nest isn't there")
    #expect(report.notes == [])
  }

  @Test("The region of the fault, among its neighbours")
  func region() throws {
    let text = AppleSamples.macOSText.replacing(
      "Exception Type: ",
      with: """
        VM Region Info: 0x3fff is in 0x1000-0x4000;  bytes before end: 0
              REGION TYPE    START - END
              __TEXT         0-1000
        --->  STACK GUARD    1000-4000
              Stack          4000-8000
        Exception Type:\u{20}
        """)
    let report = try Self.report(text)
    #expect(
      report.tags[.vmRegion]
        == "0x3fff is in 0x1000-0x4000;  bytes before end: 0 --->  STACK GUARD    1000-4000")
    #expect(report.reason.type == "EXC_BAD_ACCESS")
  }

  @Test(
    "The offset in the image, which some tools write inside a function's name, is not part of it")
  func offsetInName() throws {
    let text = """
      Process: Tern [12]
      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   Tern   0x00000001000010a0 Cart<Int>::total+ 4256 () + 72
      1   Tern   0x00000001000010b0 -[Desk+ 4272 (Till) charge:] + 8
      2   Tern   0x00000001000010c0 Cart::operator+ 4 (int) + 8

      Binary Images:
      0x100000000 - 0x10000ffff Tern arm64 <0c5e3dd0000000000000000000000000> /Applications/Tern.app/Tern

      """
    let report = try Self.report(text)
    #expect(
      report.threads.first?.frames.map(\.function)
        == ["Cart<Int>::total()", "-[Desk(Till) charge:]", "Cart::operator+ 4 (int)"])
  }

  @Test("An iOS report: stacks")
  func iOSStacks() throws {
    let report = try Self.report(AppleSamples.iOSText)
    #expect(report.crashedThread == 0)
    #expect(report.threads.map(\.index) == [0, 1, 2])
    #expect(report.threads.map(\.crashed) == [true, false, false])
    #expect(report.threads.map(\.name) == ["com.apple.main-thread", "egg counter", nil])
    #expect(
      report.threads[0].frames == [
        Frame(
          address: Address(0x1_8000_0040), position: .exact, image: 1,
          imageOffset: ImageOffset(0x40), function: "__pthread_kill", symbolOffset: 8),
        Frame(
          address: Address(0x1_0000_1234), position: .returnAddress, image: 0,
          imageOffset: ImageOffset(0x1234), function: "-[Nest count:with:]", symbolOffset: 52,
          file: "Nest.m", line: 12),
        Frame(address: Address(0), position: .returnAddress),
      ])
    // Unsymbolicated: the load address and the offset are not a name.
    #expect(
      report.threads[1].frames.last
        == Frame(
          address: Address(0x1_0000_1300), position: .returnAddress, image: 0,
          imageOffset: ImageOffset(0x1300)))
    #expect(report.threads[2].frames == [])
    let stack = report.reason.exception?.frames ?? []
    #expect(stack.map(\.position) == [.returnAddress, .returnAddress])
    #expect(stack.map(\.imageOffset) == [ImageOffset(0x80), ImageOffset(0x125c)])
    #expect(
      report.threads[0].registers == [
        Register("x0", 0), Register("x1", 0xffff_ffff), Register("x2", 2),
        Register("fp", 0x1_6f00_0000), Register("lr", 0x1_0000_1234), Register("sp", 0x1_6eff_f000),
        Register("pc", 0x1_8000_0040), Register("cpsr", 0x4000_0000), Register("esr", 0x5600_0080),
      ])
    #expect(report.images.map(\.name) == ["Tern", "libsystem_kernel.dylib", "CoreFoundation"])
    #expect(
      report.images[0]
        == LoadedImage(
          name: "Tern", path: "/private/var/containers/Tern.app/Tern", architecture: .arm64,
          debugID: DebugID("11111111-2222-3333-4444-555555555555"), base: Address(0x1_0000_0000),
          size: 0x10000))
  }

  @Test("A macOS report")
  func macOS() throws {
    let report = try Self.report(AppleSamples.macOSText)
    #expect(report.process.name == "Tern Viewer" && report.process.pid == 4242)
    #expect(report.app.version == "1.10" && report.app.build == "77")
    #expect(report.os == OperatingSystem(name: "macOS", version: "10.13.6", build: "17G65"))
    #expect(report.device == Device(model: "iMac15,1", architecture: .x86_64))
    #expect(report.install == "00CC683B-0000-0000-0000-000000000003")
    #expect(report.reason.code == "KERN_PROTECTION_FAILURE")
    #expect(report.reason.address == Address(0x18))
    #expect(report.tags[.terminationCode] == "0xb")
    #expect(report.tags[.processParent] == nil)
    #expect(report.reason.exception?.message == "the tern has flown")
    // The stack under the other heading is the exception's.
    #expect(report.otherStacks.isEmpty)
    #expect(report.reason.exception?.frames.map(\.position) == [.returnAddress, .returnAddress])
    #expect(report.reason.exception?.frames.map(\.image) == [1, 0])
    #expect(report.crashedThread == 1)
    #expect(report.threads.map(\.name) == ["com.apple.main-thread", "feather sorter"])
    // The bundle's name on the line, the file's name in the report.
    #expect(
      report.images.map(\.name) == ["Tern Viewer", "CoreFoundation", "libsystem_kernel.dylib"])
    #expect(report.images[0].version == "1.10 - 77" && report.images[0].size == 0x1000)
    let frames = report.threads[1].frames
    #expect(frames.map(\.inlined) == [true, false, false])
    #expect(frames.map(\.position) == [.exact, .exact, .returnAddress])
    #expect(
      frames.map(\.function) == [
        "static Sorter.main()", "sort(_:by:)", "operator+(A const&, B const&)",
      ])
    #expect(frames.map(\.symbolOffset) == [24, 32, 5])
    #expect(report.threads[1].registers.map(\.name) == ["rax", "rbx", "rip", "rfl", "cr2"])
  }

  @Test("The same report after being forwarded")
  func journeys() throws {
    let text = AppleSamples.iOSText
    let plain = try Self.report(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let journeys = [
      lines.joined(separator: "\r\n"), "\u{FEFF}" + text,
      "Please help, it crashed:\n\n" + lines.map { "        " + $0 }.joined(separator: "\n"),
      text.replacing("<", with: "&lt;").replacing(">", with: "&gt;"),
      "-----\nTranslated report\n-----\n" + text, text + "\0\0\0\0",
    ]
    for journey in journeys {
      #expect(AppleCrashReader.recognises(ByteView(journey.utf8)))
      #expect(try Self.report(journey) == plain)
    }
  }

  @Test("A line of JSON before the text adds missing facts")
  func headerBeforeText() throws {
    let text = AppleSamples.iOSText.replacing("Version:             512 (2.4.1)\n", with: "")
    let report = try Self.report(AppleSamples.header + "\n" + text)
    #expect(report.app.version == "2.4.1" && report.app.build == "512")
    #expect(report.incident == "AAAAAAAA-0000-0000-0000-000000000002")
    #expect(report.tags[.bugType] == "309" && report.tags[.platform] == "iOS")
    #expect(report.threads.count == 3)
  }

  @Test("A translation: the full report after it counts, unless it is truncated")
  func translation() throws {
    let head = """
      -------------------------------------
      Translated Report (Full Report Below)
      -------------------------------------

      """
    let tail = "\n-----------\nFull Report\n-----------\n\n"
    let text = head + AppleSamples.iOSText + tail
    var full = try AppleIPSReaderTests.report(AppleSamples.ips)
    full.format = .appleCrash
    #expect(try Self.report(text + AppleSamples.ips) == full)
    let cut = try Self.report(text + AppleSamples.ips.prefix(3000))
    #expect(cut.incident == "AAAAAAAA-0000-0000-0000-000000000002")
    #expect(cut.threads.count == 3)
    #expect(
      cut.notes == ["The full report after the text is incomplete; the text is shown."])
    // The short version comes first in a translation.
    let translated = try Self.report(
      head + AppleSamples.iOSText.replacing("512 (2.4.1)", with: "2.4 (5.1)"))
    #expect(translated.app.version == "2.4" && translated.app.build == "5.1")
  }

  @Test("Several reports in one file")
  func several() throws {
    let text =
      AppleSamples.iOSText + AppleSamples.macOSText + AppleSamples.header + "\n"
      + AppleSamples.iOSText
    let reports = try AppleCrashReader.reports(in: ByteView(text.utf8))
    #expect(reports.map(\.process.name) == ["Tern", "Tern Viewer", "Tern"])
    #expect(try reports[0] == Self.report(AppleSamples.iOSText))
    #expect(try reports[1] == Self.report(AppleSamples.macOSText))
  }

  @Test("An exception's stack as bare addresses")
  func bareAddresses() throws {
    let text = AppleSamples.iOSText.replacing(
      """
      0   CoreFoundation                	0x0000000180002080 __exceptionPreprocess + 220
      1   Tern                          	0x000000010000125c 0x100000000 + 4700
      """, with: "(0x180002080 0x10000125c\n 0x100001300)")
    let frames = try Self.report(text).reason.exception?.frames ?? []
    #expect(
      frames == [
        Frame(
          address: Address(0x1_8000_2080), position: .returnAddress, image: 2,
          imageOffset: ImageOffset(0x80)),
        Frame(
          address: Address(0x1_0000_125c), position: .returnAddress, image: 0,
          imageOffset: ImageOffset(0x125c)),
        Frame(
          address: Address(0x1_0000_1300), position: .returnAddress, image: 0,
          imageOffset: ImageOffset(0x1300)),
      ])
  }

  @Test("An inlined symbol with a line break keeps the position of its containing frame")
  func brokenSymbol() throws {
    let report = try Self.report(
      """
      Exception Type: EXC_BREAKPOINT (SIGTRAP)
      Thread 3 Crashed:
      0   Tern   	 0x100001240 vector:1393: assertion n < size() failed: out of bounds
       + 0 [inlined] (vector:0)
      1   Tern   	 0x100001240 Nest::at(unsigned long) + 100 (vector:1393)
      2   Tern   	 0x100001300 main + 4 (main.cpp:9)
      """)
    let frames = report.threads[0].frames
    #expect(
      frames.map(\.function) == [
        "vector:1393: assertion n < size() failed: out of bounds", "Nest::at(unsigned long)",
        "main",
      ])
    #expect(frames.map(\.inlined) == [true, false, false])
    #expect(frames.map(\.position) == [.exact, .exact, .returnAddress])
    #expect(frames.map(\.line) == [nil, 1393, 9])
    #expect(frames.map(\.file) == ["vector", "vector", "main.cpp"])
  }

  @Test("Frames keep their module if the report lists no image")
  func withoutImages() throws {
    let text = AppleSamples.iOSText
    let end = try #require(text.firstRange(of: "Binary Images:"))
    let report = try Self.report(text[..<end.lowerBound])
    let frames = report.threads.flatMap(\.frames)
    #expect(
      frames.map { frame in frame.image.map { report.images[$0].name } } == [
        "libsystem_kernel.dylib", "Tern", nil, "libsystem_kernel.dylib", "Tern",
      ])
    // The load address on one line serves the others of the same image.
    let tern = report.images.first { $0.name == "Tern" }
    #expect(tern?.base == Address(0x1_0000_0000) && tern?.debugID == nil)
    #expect(frames[4].imageOffset == ImageOffset(0x1300))
  }

  @Test(
    "Which number is the version",
    arguments: [
      ("512 (2.4.1)", "2.4.1", "512"), ("2.4.1 (512)", "2.4.1", "512"), ("1.0 (5.0)", "5.0", "1.0"),
      ("7 (8)", "8", "7"), ("2.4.1", "2.4.1", nil), ("???", nil, nil), ("??? (???)", nil, nil),
    ] as [(String, String?, String?)])
  func versions(text: String, version: String?, build: String?) throws {
    let report = try Self.report(AppleSamples.iOSText.replacing("512 (2.4.1)", with: text))
    #expect(report.app.version == version && report.app.build == build)
  }

  @Test("On macOS the version comes first")
  func versionsOfMacOS() throws {
    let report = try Self.report(AppleSamples.macOSText.replacing("1.10 (77)", with: "9 (10)"))
    #expect(report.app.version == "9" && report.app.build == "10")
  }

  @Test(
    "Terminations",
    arguments: [
      ("Namespace SPRINGBOARD, Code 0x8badf00d", "SPRINGBOARD", "0x8badf00d", nil),
      ("SIGNAL 5 Trace/BPT trap: 5", "SIGNAL", "0x5", nil),
      (
        "FRONTBOARD 2343432205 <RBSTerminateContext| domain:10>", "FRONTBOARD", "0x8badf00d",
        "<RBSTerminateContext| domain:10>"
      ),
      ("DYLD, [0x1] Library missing", "DYLD", "0x1", "Library missing"),
      ("Namespace TCC, Code 0x0", "TCC", "0x0", nil), ("SIGNAL", "SIGNAL", nil, nil),
    ] as [(String, String, String?, String?)])
  func terminations(text: String, namespace: String, code: String?, message: String?) throws {
    let report = try Self.report(
      "Process: Tern [1]\nException Type: EXC_CRASH (SIGKILL)\nTermination Reason: \(text)\n")
    #expect(report.tags[.terminationNamespace] == namespace)
    #expect(report.tags[.terminationCode] == code)
    #expect(report.reason.message == message)
  }

  @Test(
    "Reasons",
    arguments: [
      (
        "Exception Type: SIGSEGV\nException Codes: SEGV_MAPERR at 0x8", nil, "SIGSEGV",
        "SEGV_MAPERR", 8
      ),
      ("Exception Type: SIGTRAP\nException Codes: #0 at 0x1f", nil, "SIGTRAP", nil, 0x1f),
      (
        "Exception Type: EXC_BAD_ACCESS (SIGBUS)\nException Codes: 0x0000000000000002, 0x0000000000000009",
        "EXC_BAD_ACCESS", "SIGBUS", "KERN_PROTECTION_FAILURE", 9
      ),
      (
        "Exception Type: EXC_BAD_ACCESS (SIGSEGV)\nException Subtype: KERN_INVALID_ADDRESS at 0x41fc -> 0xff (possible pointer authentication failure)",
        "EXC_BAD_ACCESS", "SIGSEGV", "KERN_INVALID_ADDRESS", 0x41fc
      ),
      (
        "Exception Type: EXC_RESOURCE\nException Subtype: CPU\nTriggered by Thread: 2",
        "EXC_RESOURCE", nil, "CPU", nil
      ),
      (
        "Exception Type: 00000020\nException Codes: 0x8badf00d\nHighlighted Thread: 0", "00000020",
        nil, nil, nil
      ),
    ] as [(String, String?, String?, String?, UInt64?)])
  func reasons(
    text: String, type: String?, signal: String?, code: String?, address: UInt64?
  ) throws {
    let report = try Self.report(text + "\nThread 0:\n0   Tern   0x0000000100001234 main + 4\n")
    #expect(report.reason.type == type && report.reason.signal == signal)
    #expect(report.reason.code == code)
    #expect(report.reason.address == address.map { Address($0) })
    if type == "00000020" { #expect(report.tags[.terminationCode] == "0x8badf00d") }
  }

  @Test(
    "No report of Apple's",
    arguments: [
      "", "\n\n", "Thread 0:\nnothing\n", "Process: one\nVersion: two\n",
      "Exception in thread \"main\" java.lang.Error\n\tat a.b(C.java:1)\n",
      "*** Program crashed: Bad pointer dereference\n\nThread 0 crashed:\n\n0 0x1 main in a\n",
      "==1==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in main a.c:1\n",
      // Expected values of a report, in YAML.
      "---\nmetadata:\n  Exception Type: SIGSEGV\n  Process: \"Tern [4902]\"\nthreads:\n  - id: 0\n",
    ])
  func notRecognised(text: String) {
    #expect(!AppleCrashReader.recognises(ByteView(text.utf8)))
  }
}
