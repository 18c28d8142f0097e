import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Apple reports with a JSON body")
struct AppleIPSReaderTests {
  static func report(_ text: String) throws -> CrashReport {
    let reports = try AppleIPSReader.reports(in: ByteView(text.utf8))
    try #require(reports.count == 1)
    return reports[0]
  }

  @Test("Who crashed, when, where")
  func identity() throws {
    let report = try Self.report(AppleSamples.ips)
    #expect(report.format == .appleIPS && report.kind == .crash)
    #expect(report.incident == "AAAAAAAA-0000-0000-0000-000000000001")
    #expect(
      report.app
        == AppIdentity(
          name: "Tern", identifier: "org.example.tern", version: "2.4.1", build: "512"))
    #expect(report.os == OperatingSystem(name: "iOS", version: "17.2", build: "21C62"))
    #expect(report.device == Device(model: "iPhone15,2", architecture: .arm64))
    #expect(report.install == "0123456789abcdef0123456789abcdef01234567")
    #expect(report.time?.description == "2024-03-05T08:20:30.1234Z")
    #expect(
      report.process
        == ProcessDetails(
          name: "Tern", pid: 811, path: "/private/var/containers/Tern.app/Tern", uptime: 30.1))
    #expect(report.notes == [])
  }

  @Test("Why it crashed")
  func reason() throws {
    let report = try Self.report(AppleSamples.ips)
    #expect(report.reason.type == "EXC_BAD_ACCESS" && report.reason.signal == "SIGSEGV")
    #expect(report.reason.code == "KERN_INVALID_ADDRESS")
    #expect(report.reason.address == Address(0x10))
    #expect(report.reason.message == "Tern/Nest.swift:7: Fatal error: no egg")
    #expect(report.tags[.terminationNamespace] == "SIGNAL")
    #expect(report.tags[.terminationCode] == "0xb")
    #expect(report.tags[.vmRegion] == "0x10 is not in any region.")
    #expect(report.tags[.bugType] == "309" && report.tags[.platform] == "iOS")
  }

  @Test("The region of the fault, among its neighbours")
  func region() throws {
    let text = AppleSamples.ips.replacing(
      #"\n  REGION TYPE"#,
      with: #"\n  REGION TYPE\n  __TEXT 1-2\n--->  STACK GUARD 2-3\n  Stack 3-4"#)
    let report = try Self.report(text)
    #expect(report.tags[.vmRegion] == "0x10 is not in any region. --->  STACK GUARD 2-3")
  }

  @Test("Frames: inlined calls share the position of their containing frame")
  func frames() throws {
    let report = try Self.report(AppleSamples.ips)
    #expect(report.crashedThread == 1)
    #expect(report.threads.map(\.crashed) == [false, true, false])
    #expect(report.threads.map(\.name) == ["com.apple.main-thread", "egg counter", nil])
    #expect(report.threads.map(\.id) == [901, 902, 903])
    #expect(
      report.threads[1].frames == [
        Frame(
          address: Address(0x1_0000_1240), position: .exact, image: 0,
          imageOffset: ImageOffset(0x1240), function: "Swift runtime failure: no egg",
          symbolOffset: 0, file: "Nest.swift", inlined: true),
        Frame(
          address: Address(0x1_0000_1240), position: .exact, image: 0,
          imageOffset: ImageOffset(0x1240), function: "Nest.hatch()", symbolOffset: 32,
          file: "Nest.swift", line: 7),
        Frame(
          address: Address(0x1_0000_1294), position: .returnAddress, image: 0,
          imageOffset: ImageOffset(0x1294), function: "closure #1 in Nest.count(_:)",
          symbolOffset: 20, file: "<compiler-generated>"),
        Frame(
          address: Address(0x1_0001_0100), position: .returnAddress, image: 1,
          imageOffset: ImageOffset(0x100)),
        // Outside every image: the offset is the address.
        Frame(address: Address(0x12345), position: .returnAddress),
      ])
    #expect(report.threads[0].frames.map(\.position) == [.exact, .returnAddress])
    #expect(report.threads[2].frames == [])
    #expect(
      report.threads[1].registers == [
        Register("x0", 0), Register("x1", .max), Register("lr", 0x1_0000_1294),
        Register("pc", 0x1_0000_1240),
      ])
    // The exception was caught in a call: no frame of its stack is exact.
    let stack = report.reason.exception?.frames ?? []
    #expect(stack.map(\.position) == [.returnAddress, .returnAddress])
    #expect(stack.map(\.address) == [Address(0x1_8000_0080), Address(0x1_0000_125c)])
  }

  @Test("Images, without the placeholder")
  func images() throws {
    let report = try Self.report(AppleSamples.ips)
    #expect(
      report.images == [
        LoadedImage(
          name: "Tern", path: "/private/var/containers/Tern.app/Tern", architecture: .arm64,
          debugID: DebugID("11111111-2222-3333-4444-555555555555"), base: Address(0x1_0000_0000),
          size: 0x10000, version: "2.4.1"),
        LoadedImage(
          name: "Gull", path: "/private/var/containers/Tern.app/Frameworks/Gull.framework/Gull",
          architecture: .arm64, debugID: DebugID("66666666-7777-8888-9999-AAAAAAAAAAAA"),
          base: Address(0x1_0001_0000), size: 0x4000),
        LoadedImage(
          name: "libsystem_kernel.dylib", path: "/usr/lib/system/libsystem_kernel.dylib",
          architecture: .arm64e, debugID: DebugID("bbbbbbbb-2222-3333-4444-555555555555"),
          base: Address(0x1_8000_0000), size: 0x1000),
      ])
  }

  @Test(
    "The same report in other forms",
    arguments: [
      AppleSamples.header + AppleSamples.body,
      AppleSamples.header + "\r\n" + AppleSamples.body.split(separator: "\n").joined(),
      "\u{FEFF}" + AppleSamples.ips + "\n\0\0\0",
      "\n\n" + AppleSamples.ips + "\nsome words behind it",
    ])
  func forms(text: String) throws {
    #expect(AppleIPSReader.recognises(ByteView(text.utf8)))
    #expect(try Self.report(text) == Self.report(AppleSamples.ips))
  }

  @Test("A body without its header")
  func headerless() throws {
    #expect(AppleIPSReader.recognises(ByteView(AppleSamples.body.utf8)))
    var report = try Self.report(AppleSamples.body)
    report.tags[.platform] = "iOS"
    #expect(try report == Self.report(AppleSamples.ips))
  }

  @Test("A header before text belongs to the text reports")
  func headerBeforeText() {
    let bytes = ByteView((AppleSamples.header + "\n" + AppleSamples.iOSText).utf8)
    #expect(!AppleIPSReader.recognises(bytes))
    #expect(AppleCrashReader.recognises(bytes))
  }

  @Test(
    "No report of Apple's",
    arguments: [
      "", "{}", "[1]", "{\"a\":", "{\"threads\":[],\"images\":[]}", "plain text",
      #"{"kind":"crashReport","threads":[],"images":[]}"#,
      #"{"crash":{"threads":[]},"binary_images":[],"report":{"type":"standard"}}"#,
    ])
  func notRecognised(text: String) {
    #expect(!AppleIPSReader.recognises(ByteView(text.utf8)))
    #expect(throws: ParseError.self) { try AppleIPSReader.reports(in: ByteView(text.utf8)) }
  }

  @Test("Several reports in one file")
  func several() throws {
    let text = AppleSamples.ips + "\n" + AppleSamples.ips + AppleSamples.header
    let reports = try AppleIPSReader.reports(in: ByteView(text.utf8))
    #expect(reports.count == 3)
    #expect(reports[0] == reports[1])
    #expect(reports[2].threads.isEmpty && reports[2].app.name == "Tern")
    #expect(reports[2].notes == ["The report has a header and no body."])
  }

  @Test("Memory ran out")
  func jetsam() throws {
    let report = try Self.report(
      #"""
      {"bug_type":"298","timestamp":"2024-01-02 03:04:05.67 +0000","os_version":"iPhone OS 17.2 (21C62)"}
      {"crashReporterKey":"k","product":"iPhone15,2","date":"2024-01-02 03:04:05.60 +0000",
       "memoryStatus":{"pageSize":16384,"memoryPages":{"free":1}},"largestProcess":"Gull",
       "processes":[{"name":"Gull","pid":1,"rpages":9},
        {"name":"Tern","pid":77,"rpages":5,"reason":"per-process-limit"},
        {"name":"Owl","pid":78,"reason":"highwater"}]}
      """#)
    #expect(report.kind == .oom)
    #expect(report.process.name == "Tern" && report.process.pid == 77)
    #expect(report.app.name == "Tern")
    #expect(report.reason.code == "per-process-limit")
    #expect(report.reason.message == "Tern was ended: per-process-limit, 5 pages of 16384 bytes")
    #expect(report.tags[.jetsamLargestProcess] == "Gull")
    #expect(report.notes == ["Also ended: Owl (highwater)."])
    #expect(report.device.model == "iPhone15,2" && report.os.version == "17.2")
  }

  @Test("The kernel panicked", arguments: ["panicString", "string"])
  func panic(key: String) throws {
    let report = try Self.report(
      #"{"bug_type":"210","os_version":"Bridge OS 2.4 (15P1)","incident_id":"i"}"# + "\n"
        + #"{"build":"Bridge OS 2.4 (15P1)","product":"iBridge2,3","\#(key)":"panic(cpu 0 caller 0xfffffff009773984): nest reset\nKernel text base: 0xfffffff00a004000\nPanicked thread: 0x1\n\t\t  lr: 0xfffffff00a1f88f0  fp: 0x1\n\t\t  lr: 0xfffffff00a0e15f4  fp: 0x0\n"}"#
    )
    #expect(report.kind == .other)
    #expect(report.reason.type == "kernel panic" && report.reason.message == "nest reset")
    #expect(
      report.threads.first?.frames.map(\.address) == [
        Address(0xffff_fff0_0a1f_88f0), Address(0xffff_fff0_0a0e_15f4),
      ])
    #expect(report.os.name == "bridgeOS")
  }

  @Test("Reports without a crash say so")
  func otherTypes() throws {
    let lines = try Self.report(
      #"{"bug_type":"211","os_version":"iPhone OS 13.2 (17B1)"}"# + "\n{\"a\":1}\n{\"b\":2}\n{}")
    #expect(lines.kind == .other)
    #expect(
      lines.notes == [
        "2 further JSON documents not read.", "A report of type 211 does not describe a crash.",
      ])
    let simulated = try Self.report(
      AppleSamples.header + AppleSamples.body.dropLast(2) + ",\"isSimulated\":1}")
    #expect(simulated.kind == .handled)
  }

  @Test(
    "Terminations keep their namespace, code and words",
    arguments: [
      (
        #"{"namespace":"FRONTBOARD","code":2343432205,"details":["scene-create watchdog"]}"#,
        "FRONTBOARD", "0x8badf00d", "scene-create watchdog"
      ),
      (
        #"{"namespace":"DYLD","code":1,"indicator":"Library missing","reasons":["Library not loaded: Gull"]}"#,
        "DYLD", "0x1", "Library not loaded: Gull"
      ),
      (#"{"namespace":"RUNNINGBOARD","code":"0xdead10cc"}"#, "RUNNINGBOARD", "0xdead10cc", nil),
      (#"{"namespace":"SIGNAL","code":6,"indicator":"Abort trap: 6"}"#, "SIGNAL", "0x6", nil),
    ] as [(String, String, String, String?)])
  func terminations(text: String, namespace: String, code: String, message: String?) throws {
    let report = try Self.report(
      #"{"bug_type":"309","os_version":"macOS 14.0 (23A1)"}{"termination":\#(text),"threads":[]}"#)
    #expect(report.tags[.terminationNamespace] == namespace)
    #expect(report.tags[.terminationCode] == code)
    #expect(report.reason.message == message)
  }

  @Test("An Objective-C exception in members of its own")
  func exceptionReason() throws {
    let report = try Self.report(
      #"{"bug_type":"309","os_version":"macOS 14.0 (23A1)"}"#
        + #"{"exceptionReason":{"type":"objc-exception","name":"TernException","composed_message":"no 'egg'"},"asiBacktraces":["0   Gull   0x0000000000001010 flap + 16\n1   Gull   0x0000000000001020 0x1000 + 32\n"],"threads":[{"frames":[]}],"usedImages":[]}"#
    )
    #expect(report.reason.exception?.type == "TernException")
    #expect(report.reason.exception?.message == "no 'egg'")
    #expect(report.reason.message == "no 'egg'")
    // The textual stack is the exception's if no other is given.
    let frames = report.reason.exception?.frames ?? []
    #expect(frames.map(\.function) == ["flap", nil])
    #expect(frames.map(\.address) == [Address(0x1010), Address(0x1020)])
    #expect(frames.map(\.position) == [.returnAddress, .returnAddress])
  }
}
