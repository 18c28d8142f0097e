import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

@Suite struct AppCenterReaderTests {
  static func sample(_ name: String) throws -> ByteView {
    try Samples.view("appcenter/\(name).json")
  }

  private func report(_ name: String) throws -> CrashReport {
    let reports = try FormatRegistry.builtIn.reports(in: Self.sample(name))
    return try #require(reports.first)
  }

  private func report(text: String) throws -> CrashReport {
    try #require(try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first)
  }

  @Test("A crash of an Apple app: threads, registers, images, exception")
  func apple() throws {
    let report = try report("apple-exception")
    #expect(report.format == .appCenter && report.kind == .crash)
    #expect(report.incident == "a3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a11")
    #expect(report.time == Timestamp("2026-03-02T10:11:12Z") && report.process.uptime == 10)
    #expect(report.user == "skipper" && report.process.pid == 731)
    #expect(report.device.architecture == .arm64e && report.device.model == "iPhone14,5")
    #expect(report.os == OperatingSystem(name: "iOS", version: "17.2.1", build: "21C66"))
    #expect(report.tags[.session] == "3f1b9d0e-7a52-4c0b-8d5e-2b6a9e4c1001")
    #expect(report.reason.signal == "SIGABRT" && report.reason.code == nil)
    #expect(report.reason.address == Address(0x1_b2f0_0a10))
    #expect(report.crashedThread == 0 && report.threads.count == 2)
    let thread = report.threads[0]
    #expect(thread.registers.map(\.name) == ["lr", "pc", "x0", "x2", "x10"])
    #expect(thread.frames.map(\.position) == [.exact, .returnAddress])
    #expect(thread.frames.map(\.image) == [2, 0])
    #expect(thread.frames[1].imageOffset == ImageOffset(33264))
    // Frames symbolicated on the device.
    #expect(report.threads[1].frames[0].function == "__workq_kernreturn")
    #expect(report.threads[1].frames[0].symbolOffset == 8)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "NSRangeException" && exception.frames.map(\.image) == [1, 0])
    #expect(exception.frames.allSatisfy { $0.position == .returnAddress })
    #expect(report.images[0].size == 0x1c000)
    #expect(
      report.images.compactMap(\.debugID?.description) == [
        "d449e33d-7e74-379d-8b79-15ee104ed1df", "5da23653-d126-39f0-bdcf-994b3019f92c",
        "11112222-3333-4444-5555-666677778888",
      ])
  }

  @Test("A crash of an Android app with its cause")
  func android() throws {
    let report = try report("android-cause")
    #expect(report.process.pid == 4871 && report.device.architecture == .arm64)
    #expect(report.crashedThread == 0 && report.threads[1].name == "Binder_1")
    let exception = try #require(report.reason.exception)
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "java.lang.IllegalStateException")
    #expect(cause.frames[0].function == "org.example.tern.ChartStore.load")
    #expect(cause.frames[0].file == "ChartStore.kt" && cause.frames[0].line == 31)
    #expect(cause.frames[1].line == nil)
    #expect(report.tags[.carrierName] == nil && report.tags[.osAPILevel] == "34")
  }

  @Test("A handled error of .NET: text stacks, properties, several causes")
  func dotNet() throws {
    let report = try report("dotnet-handled")
    #expect(report.kind == .handled && report.properties["Category"] == "Charts")
    #expect(report.time?.nanoseconds == 123_456_700 && report.os.name == "Windows")
    let exception = try #require(report.reason.exception)
    #expect(exception.frames[0].function == "Tern.Charts.Store.Load(Int32 harbour)")
    #expect(exception.frames[0].file == #"C:\Users\USER\src\Store.cs"#)
    #expect(exception.frames[0].line == 31)
    #expect(exception.frames[1].function == "Tern.Program.Main()")
    #expect(exception.inner.count == 2 && exception.inner[1].type == nil)
    #expect(
      exception.inner[0].frames.map(\.function) == [
        "Tern.Disk.Read()",
        "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw()",
      ])
  }

  @Test("A crash of an app compiled by .NET Native: addresses, images that end exclusively")
  func uwp() throws {
    let report = try report("uwp-addresses")
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.imageOffset?.value) == [0x1f10, nil])
    #expect(report.images[0].debugID?.age == 12 && report.images[0].size == 0x2000)
  }

  @Test("JavaScript's stacks, of both engines")
  func script() throws {
    let frames = try #require(try report("react-native").reason.exception?.frames)
    #expect(frames.map(\.function) == ["load", "render", nil])
    #expect(frames.map(\.line) == [12, 13, 1] && frames.map(\.column) == [345, 4, 2])
  }

  @Test("A native crash waits for its dump")
  func native() throws {
    let report = try report("android-native")
    #expect(report.tags[.minidump] == "awaited" && report.reason.exception == nil)
    #expect(report.notes.contains { $0.contains("waiting for minidump.dmp") })
  }

  @Test("Different spellings of hand-made posts, and missing members")
  func lenient() throws {
    let report = try report(
      text: """
        {"type":"appleError","id":"{A3C1F0D25B7E4E198C3A6F2D1B9E0A11}","fatal":"true",
         "timestamp":"2026-03-02T10:11:12","timestamp":"2026-03-02T10:11:13+01:00","userId":null,
         "processId":"12","primaryArchitectureId":"16777223","architectureVariantId":2147483651,
         "threads":[{"id":"3","frames":[{"address":4096},null,7]}],"errorThreadId":"3",
         "binaries":[{"id":"???","startAddress":"0x1000","endAddress":"0x1fff"}],"new":{"a":[1]}}
        """)
    #expect(report.incident == "a3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a11")
    #expect(report.time == Timestamp("2026-03-02T09:11:13Z") && report.user == nil)
    #expect(report.process.pid == 12 && report.device.architecture == .x86_64)
    #expect(report.crashedThread == 0 && report.threads[0].frames.count == 1)
    #expect(report.images[0].name == "???" && report.images[0].debugID == nil)
    #expect(try self.report(text: #"{"logs":[{"type":"managedError"}]}"#).reason.exception == nil)
  }

  @Test("Properties of an app never replace facts of the report, whatever their names")
  func properties() throws {
    let names = Set(ReportTag.besideProperties.map(\.description)).union(["anything"])
    let members = names.sorted().map { "\"\($0)\":\"mine\"" }.joined(separator: ",")
    let report = try report(
      text: """
        {"type":"handledError","id":"1","sid":"ABC","exception":{"type":"E"},
         "properties":{\(members)},"device":{"locale":"en_US","sdkName":"appcenter.ios"}}
        """)
    #expect(report.tags == [.locale: "en_US", .sdkName: "appcenter.ios", .session: "abc"])
    #expect(report.properties.count == names.count)
    #expect(report.properties.values.allSatisfy { $0 == "mine" })
  }

  @Test("No tag of such a report is taken from a property")
  func tagNames() throws {
    let device = """
      "sdkName":"a","sdkVersion":"a","osApiLevel":1,"locale":"a","timeZoneOffset":1,"screenSize":"a",
      "oemName":"a","carrierName":"a","carrierCountry":"a","wrapperSdkName":"a","jailbreak":true,
      "wrapperSdkVersion":"a","wrapperRuntimeVersion":"a","liveUpdateReleaseLabel":"a",
      "liveUpdatePackageHash":"a"
      """
    let log = """
      "sid":"1","parentProcessName":"a","errorThreadName":"a","buildId":"a","distributionGroupId":"a",
      "dataResidencyRegion":"a","selectorRegisterValue":"a","device":{\(device)}
      """
    let apple = try report(
      text: """
        {"logs":[{"type":"appleError","exceptionType":"N","exception":{"type":"M","frames":[{}]},\(log)}],
         "mayday":{"clock":"behind"}}
        """)
    let native = try report(
      text: #"{"type":"managedError","exception":{"type":"minidump"},"sid":"1"}"#)
    // The tags of dumps, which have properties, too.
    let dumps: Set<ReportTag> = [
      .bootArguments, .comment, .cpuInfo, .cpuCount, .cpuMicrocode, .gpu, .osBuildText,
      .distribution, .distributionCodename, .distributionID, .distributionRelease, .memoryMappings,
      .processHandles, .processIntegrity, .processorTime,
    ]
    #expect(
      Set(apple.tags.keys).union(native.tags.keys).union(dumps) == ReportTag.besideProperties)
  }

  @Test("A frame at address 0 is a jump through a null pointer, and keeps its address")
  func nullFrame() throws {
    let report = try report(
      text: """
        {"type":"appleError","errorThreadId":0,"threads":[{"id":0,"frames":[
         {"address":"0x0000000000000000","code":"0x0 + 0"},{"address":"0x1010","code":"0x1000 + 16"}]}]}
        """)
    #expect(report.threads[0].frames.map(\.address) == [Address(0), Address(0x1010)])
  }

  @Test("A wrapper's exception does not hide the native one")
  func wrapped() throws {
    func report(managed: String) throws -> CrashReport {
      try self.report(
        text: """
          {"type":"appleError","errorThreadId":1,"exceptionType":"NSRangeException",
           "exceptionReason":"index 7","exception":{"type":"Tern.Lost"\(managed)},
           "threads":[{"id":0,"frames":[],"exception":{"type":"Other","frames":[{"address":"0x9"}]}},
            {"id":1,"frames":[],"exception":{"type":"NSRangeException","frames":[{"address":"0x10"}]}}]}
          """)
    }
    let both = try report(
      managed: #","message":"lost","frames":[{"className":"A","methodName":"b"}]"#)
    #expect(both.reason.exception?.type == "Tern.Lost" && both.reason.exception?.message == "lost")
    #expect(both.reason.message == "index 7" && both.tags[.exceptionNative] == "NSRangeException")
    #expect(both.otherStacks.map(\.title) == ["native exception NSRangeException: index 7"])
    #expect(both.otherStacks.first?.frames.map(\.address) == [Address(0x10)])
    // Without a stack of its own it is less specific than the native one.
    let bare = try report(managed: "")
    #expect(bare.reason.exception?.type == "NSRangeException" && bare.otherStacks.isEmpty)
    #expect(bare.reason.exception?.frames.map(\.address) == [Address(0x10)])
    #expect(bare.reason.exception?.inner.map(\.type) == ["Tern.Lost"])
  }

  @Test("Truncated or changed anywhere it is an error or a report, never a trap")
  func damage() throws {
    let whole = try Self.sample("apple-exception").array
    var outcomes = Outcomes()
    for end in stride(from: 0, to: whole.count, by: 17) {
      outcomes.count {
        FormatRegistryTests.check(try FormatRegistry.builtIn.reports(in: ByteView(whole[..<end])))
      }
    }
    for at in stride(from: 0, to: whole.count, by: 5) {
      var changed = whole
      changed[at] = UInt8(truncatingIfNeeded: at &* 31)
      outcomes.count {
        FormatRegistryTests.check(try FormatRegistry.builtIn.reports(in: ByteView(changed)))
      }
    }
    #expect(outcomes.isMixed)
  }

  @Test("Endless causes, frames and properties stay within limits")
  func hostile() throws {
    let deep = String(repeating: #"{"type":"a","innerExceptions":["#, count: 50)
    let text = #"{"logs":[{"type":"managedError","exception":"# + deep
    #expect(try report(text: text).notes.contains { $0.contains("cut off") })
    let wide = String(repeating: #"{"type":"a"},"#, count: 5000)
    let many = try report(
      text: #"{"logs":[{"type":"managedError","exception":{"innerExceptions":["# + wide
        + #"{}]}}]}"#)
    #expect(many.notes.contains { $0.contains("only the first 64 exceptions") })
  }

  @Test("Logs of other kinds alone are not a report")
  func noReport() {
    #expect(throws: ParseError.self) {
      try FormatRegistry.builtIn.reports(
        in: ByteView(#"{"logs":[{"type":"startSession","sid":"1"}]}"#.utf8))
    }
    #expect(
      FormatRegistry.builtIn.format(of: ByteView(#"{"logs":[{"type":"other"}]}"#.utf8)) == nil)
  }

  @Test("A request is split")
  func logs() throws {
    let logs = try AppCenterLogs(
      parsing: ByteView(
        """
        {"logs":[{"type":"startSession","sid":"ABCDEF00112233445566778899AABBCC","timestamp":
        "2026-03-02T10:00:00Z","device":{"appVersion":"1"}},{"type":"event","sid":
        "abcdef00-1122-3344-5566-778899aabbcc","id":"1","name":"open","timestamp":
        "2026-03-02T10:00:01Z","typedProperties":[{"type":"long","name":"n","value":3}]},
        {"type":"errorAttachment","id":"9","errorId":"X","fileName":"a.txt","contentType":
        "text/plain","data":"aGVs\\nbG8"},{"type":"errorAttachment","errorId":"X","data":"<no>"},
        {"type":"handledError","id":"X","exception":{"type":"E"}},{"type":"startService"},
        {"type":"novel"},{"type":"pushInstallation"},7]}
        """.utf8), installID: "ABCDEF00112233445566778899AABBCC")
    #expect(logs.sessions.map(\.id) == ["abcdef00-1122-3344-5566-778899aabbcc"])
    #expect(logs.events.first?.properties.first?.value == "3")
    #expect(logs.attachments.map { String(decoding: $0.bytes.array, as: UTF8.self) } == ["hello"])
    #expect(logs.attachments.first?.reportID == "x" && logs.reports.first?.kind == .handled)
    #expect(logs.ignored == ["startService": 1, "pushInstallation": 1, "unknown": 2])
    #expect(logs.unusable == ["errorAttachment that is not base64": 1])
    #expect(
      logs.refused.map { "\($0.reportID) \($0.name) \($0.reason)" } == [
        "x attachment it is not base64"
      ])
    // The stored form of a report reads as the report, with the installation from the request.
    let submission = try #require(logs.reports.first?.submission)
    let again = try #require(try FormatRegistry.builtIn.reports(in: submission).first)
    #expect(again.install == "abcdef00-1122-3344-5566-778899aabbcc" && again.incident == "x")
  }

  @Test(
    "Anything but a container, or one truncated before a log, is an error with its position",
    arguments: [
      ("", "1 byte needed at 0x0"), ("x", "at 0x0"), ("[]", "needed at 0x2"), ("{", "at 0x1"),
      (#"{"logs":["#, "at 0x9"), (#"{"logs":"x"}"#, "there are no logs at 0xc"),
      ("{}", "there are no logs at 0x2"), (#"{"logs":[]}x"#, "'x' instead of a value at 0xb"),
      (#"{"logs":[{]}"#, "']' instead of a key at 0xa"),
    ])
  func noContainer(text: String, reason: String) throws {
    let error = #expect(throws: ParseError.self) {
      try AppCenterLogs(parsing: ByteView(text.utf8))
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test(
    "Data after the readable logs is reported",
    arguments: [
      (#"{"logs":[]}"#, nil), (" {\"logs\":[{\"type\":\"page\"}]}\n\0", nil),
      (#"{"logs":[{"type":"page"},{"type":"#, "cut off after 33 bytes"),
      (#"{"logs":[{"type":"page"}]}{"logs":[]}"#, "data after the logs at 0x1a"),
      (#"{"logs":[{"type":"page"}]}]"#, "']' instead of a value at 0x1a"),
      (#"{"logs":[{"type":"page"},!"#, "'!' instead of a value at 0x19"),
    ] as [(String, String?)])
  func incomplete(text: String, note: String?) throws {
    let logs = try AppCenterLogs(parsing: ByteView(text.utf8))
    #expect((logs.note == nil) == (note == nil), "\(logs.note ?? "")")
    if let note { #expect(logs.note?.contains(note) == true, "\(logs.note ?? "")") }
  }

  /// Old SDKs send the age of an event in milliseconds before it was sent (their change logs).
  /// The service rejected anything more than 25 days old or 3 ahead; here it is stored, with a
  /// note.
  @Test(
    "Times are computed back from arrival, and marked as doubtful",
    arguments: [
      (#""toffset":1500"#, "2026-03-02T09:59:58.5Z", nil),
      (#""toffset":"1500""#, "2026-03-02T09:59:58.5Z", nil),
      (#""toffset":1500,"timestamp":"2026-03-01T00:00:00Z""#, "2026-03-01T00:00:00Z", nil),
      (#""toffset":1500,"timestamp":null"#, "2026-03-02T09:59:58.5Z", nil),
      (#""toffset":9223372036854775807"#, nil, nil), (#""toffset":-9223372036854775807"#, nil, nil),
      (#""timestamp":"2026-02-05T10:00:00Z""#, "2026-02-05T10:00:00Z", nil),
      (#""timestamp":"2026-02-05T09:59:59Z""#, "2026-02-05T09:59:59Z", "behind"),
      (#""timestamp":"2026-03-05T10:00:00Z""#, "2026-03-05T10:00:00Z", nil),
      (#""timestamp":"2026-03-05T10:00:01Z""#, "2026-03-05T10:00:01Z", "ahead"),
      (#""toffset":2160001000"#, "2026-02-05T09:59:59Z", "behind"),
    ] as [(String, String?, String?)])
  func times(members: String, time: String?, clock: String?) throws {
    let logs = try AppCenterLogs(
      parsing: ByteView(#"{"logs":[{"type":"managedError","id":"x",\#(members)}]}"#.utf8),
      received: Timestamp("2026-03-02T10:00:00Z"))
    let sent = try #require(logs.reports.first)
    #expect(sent.time == time.flatMap { Timestamp($0) })
    let report = try #require(try FormatRegistry.builtIn.reports(in: sent.submission).first)
    #expect(report.time == sent.time && report.tags[.clock] == clock)
    #expect(report.notes.contains { $0.contains("its time is more than") } == (clock != nil))
    // A stored container, read as a sent one, gives the same result.
    let again = try AppCenterLogs(parsing: sent.submission)
    #expect(again.reports.first?.time == sent.time)
  }
}
