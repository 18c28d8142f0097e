import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("MetricKit's payloads")
struct MetricKitReaderTests {
  private func read(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  private func sample() throws -> ByteView {
    try ByteView(
      reading: Samples.folder + "/metrickit/null-read-1.1.0-ios-arm64-and-hang.json",
      limit: 1 << 20)
  }

  private func other(_ name: String) throws -> CrashReport {
    let bytes = try ByteView(
      reading: Samples.folder + "/apple-ips/\(name).ips", limit: 1 << 20)
    return try #require(try FormatRegistry.builtIn.reports(in: bytes).first)
  }

  @Test("A crash and a hang agree with the system's own reports of them")
  func sameIncidents() throws {
    let reports = try FormatRegistry.builtIn.reports(in: sample())
    #expect(reports.map(\.format.description) == ["metrickit", "metrickit"])
    #expect(reports.map(\.kind) == [.crash, .hang] && reports.allSatisfy { $0.notes.isEmpty })
    let crash = try other("null-read-1.1.0-ios-arm64")
    let report = try #require(reports.first)
    #expect(report.os == crash.os && report.device.model == crash.device.model)
    #expect(report.app.identifier == crash.app.identifier && report.app.build == crash.app.build)
    #expect(report.reason.type == crash.reason.type && report.reason.signal == crash.reason.signal)
    #expect(report.crashedThread == crash.crashedThread)
    #expect(report.threads.count == crash.threads.count)
    for (one, other) in zip(report.threads, crash.threads) {
      #expect(one.frames.map(\.address) == other.frames.map(\.address))
      #expect(one.frames.map(\.imageOffset) == other.frames.map(\.imageOffset))
      #expect(one.frames.map(\.position) == other.frames.map(\.position))
      #expect(
        one.frames.map { $0.image.flatMap { report.images[$0].debugID } }
          == other.frames.map { $0.image.flatMap { crash.images[$0].debugID } })
    }
    // The tree of a hang begins with the outermost call.
    let hang = try other("watchdog-1.1.0-ios-arm64")
    #expect(
      reports[1].threads[0].frames.map(\.address) == hang.threads[0].frames.map(\.address))
    #expect(reports[1].reason.message == "The app hung for 20 sec")
  }

  /// A payload with one diagnostic.
  private func payload(_ list: String, facts: String = "", tree: String) -> String {
    """
    {"timeStampEnd": "2020-10-15 13:42:00 +0000", "\(list)": [{"version": "1.0.0",
      "diagnosticMetaData": {"osVersion": "iPhone OS 14.0.1 (18A393)", "appVersion": "", "platformArchitecture":
      "arm64"\(facts)}, "callStackTree": \(tree)}]}
    """
  }

  private func tree(_ roots: String, isPerThread: Bool = true) -> String {
    "{\"callStackPerThread\": \(isPerThread), \"callStacks\": [{\"threadAttributed\": true, \"callStackRootFrames\": \(roots)}]}"
  }

  private func frame(
    _ address: UInt64, _ offset: UInt64, _ name: String, _ samples: Int = 1, _ calls: String = ""
  )
    -> String
  {
    "{\"binaryName\": \"\(name)\", \"address\": \(address), \"offsetIntoBinaryTextSegment\": \(offset), "
      + "\"sampleCount\": \(samples), \"binaryUUID\": \"00000000-0000-0000-0000-0000000000\(name.utf8.count)0\""
      + (calls.isEmpty ? "}" : ", \"subFrames\": [\(calls)]}")
  }

  @Test("The offset is the image's address on iOS 14, and an offset later")
  func offsets() throws {
    let old = frame(6_859_816_880, 6_859_616_256, "libswiftCore.dylib")
    let new = frame(4_310_988_076, 46_380, "Tern")
    for (text, base, offset) in [
      (old, UInt64(6_859_616_256), UInt64(200_624)), (new, 4_310_941_696, 46_380),
    ] {
      let report = try #require(
        try read(payload("crashDiagnostics", tree: tree("[\(text)]"))).first)
      let frame = try #require(report.threads.first?.frames.first)
      #expect(frame.imageOffset == ImageOffset(offset))
      #expect(report.images.map(\.base) == [Address(base)])
      // The shared cache begins at 0x180000000.
      #expect(frame.inApp == (base < 0x1_8000_0000 ? true : nil))
    }
    let simulated = payload("crashDiagnostics", tree: tree("[\(frame(74565, 123, "test"))]"))
    #expect(try read(simulated).first?.threads[0].frames[0].imageOffset == ImageOffset(123))
  }

  @Test("A stack of a thousand calls, deeper than other documents may be")
  func deep() throws {
    var text = frame(0x1_0000_0000, 0, "dyld")
    for index in 1..<1000 {
      text = frame(0x1_0000_0000 + UInt64(index), UInt64(index), "Tern", 1, text)
    }
    let report = try #require(try read(payload("crashDiagnostics", tree: tree("[\(text)]"))).first)
    #expect(report.threads[0].frames.count == 1000 && report.notes.isEmpty)
    #expect(report.threads[0].frames[0].imageOffset == ImageOffset(999))
    #expect(report.threads[0].frames[999].imageOffset == ImageOffset(0))
  }

  @Test("The heaviest path in a tree of samples is the stack, outermost call last")
  func branches() throws {
    let leaf = frame(0x1_0000_0030, 0x30, "Tern", 2) + "," + frame(0x1_0000_0040, 0x40, "Tern", 5)
    let roots =
      frame(0x1_0000_0010, 0x10, "Tern", 7, leaf) + "," + frame(0x1_0000_0020, 0x20, "Tern", 3)
    let report = try #require(
      try read(
        payload(
          "cpuExceptionDiagnostics",
          facts: ", \"totalCPUTime\": \"20 sec\", \"totalSampledTime\": \"25 sec\"",
          tree: tree("[\(roots)]", isPerThread: false))
      ).first)
    #expect(report.kind == .other && report.reason.type == "EXC_RESOURCE")
    #expect(report.reason.message == "20 sec of processor time in 25 sec")
    #expect(report.threads[0].frames.map(\.imageOffset?.value) == [0x40, 0x10])
    #expect(report.threads[0].frames.map(\.position) == [.exact, .returnAddress])
    #expect(report.threads[0].name == "heaviest stack" && report.crashedThread == 0)
    #expect(report.notes == ["the stack is the heaviest path through 10 samples"])
  }

  private static let kindLines: [(String, String, ReportKind, String?, String?)] = [
    ("hangDiagnostics", "\"hangDuration\": \"20 sec\"", .hang, "hang", "The app hung for 20 sec"),
    (
      "diskWriteExceptionDiagnostics", "\"writesCaused\": \"2,000 byte\"", .other, "EXC_RESOURCE",
      "2,000 byte written"
    ),
    (
      "appLaunchDiagnostics", "\"launchDuration\": \"8 sec\"", .other, "slow launch",
      "The launch took 8 sec"
    ),
    (
      "crashDiagnostics", "\"exceptionType\": 1, \"signal\": 11, \"exceptionCode\": 1", .crash,
      "EXC_BAD_ACCESS", nil
    ),
  ]

  @Test("All kinds of diagnostics", arguments: kindLines)
  func kinds(list: String, facts: String, kind: ReportKind, type: String?, message: String?) throws
  {
    let tree = tree("[\(frame(0x1_0000_0010, 0x10, "Tern"))]")
    let report = try #require(try read(payload(list, facts: ", " + facts, tree: tree)).first)
    #expect(report.kind == kind && report.reason.type == type && report.reason.message == message)
    #expect(report.os == OperatingSystem(name: "iOS", version: "14.0.1", build: "18A393"))
    #expect(report.time == Timestamp("2020-10-15T13:42:00Z") && report.app.version == nil)
    // One of the diagnostics alone.
    let alone = "{\"callStackTree\": \(tree), \"diagnosticMetaData\": {\(facts)}}"
    #expect(try read(alone).first?.kind == kind)
  }

  @Test("The exception, the termination and the region of a crash")
  func reason() throws {
    let facts = """
      , "exceptionType": 1, "signal": 11, "exceptionCode": 1, "virtualMemoryRegionInfo": "0x40 is not in any region",
      "terminationReason": "FRONTBOARD 2343432205 <RBSTerminateContext| domain:10>",
      "exceptionReason": {"exceptionName": "NSRangeException", "composedMessage": "out of range"}
      """
    let report = try #require(
      try read(payload("crashDiagnostics", facts: facts, tree: tree("[]"))).first)
    #expect(report.reason.code == "KERN_INVALID_ADDRESS" && report.reason.address == Address(0x40))
    #expect(report.tags[.terminationNamespace] == "FRONTBOARD")
    #expect(report.tags[.terminationCode] == "0x8badf00d")
    #expect(report.tags[.terminationReason] == "<RBSTerminateContext| domain:10>")
    #expect(
      report.reason.exception
        == LanguageException(type: "NSRangeException", message: "out of range"))
  }

  @Test("A tree alone, frames without a name or an image, unknown members")
  func loose() throws {
    let text = """
      {"callStacks": [{"threadAttributed": true, "callStackRootFrames": [{"binaryUUID": null, "future": [{"a": {}}],
        "address": 18446744073709551615, "binaryName": null, "subFrames": [{"address": 5}], "more": "\\"]}"}]}],
       "callStackPerThread": true, "unknown": {"address": 3}}
      """
    let report = try #require(try read(text).first)
    #expect(report.kind == .other && report.images.isEmpty)
    #expect(report.threads[0].frames.map(\.address?.value) == [.max, 5])
  }

  @Test("Several payloads, one after the other or in a list")
  func several() throws {
    let one = payload("hangDiagnostics", tree: tree("[\(frame(74565, 123, "test"))]"))
    for text in [one + "\n" + one, "[\(one), \(one)]"] {
      #expect(try read(text).map { $0.threads.map(\.frames.count) } == [[1], [1]])
    }
  }

  @Test(
    "Other JSON is not taken for it",
    arguments: [
      "{\"crashDiagnostics\": []}", "{\"a\": {\"callStackTree\": 1}}",
      "{\"metaData\": {\"appBuildVersion\": \"1\"}}",
    ])
  func others(text: String) throws {
    #expect(try FormatRegistry.builtIn.allReports(in: Array(text.utf8)).isEmpty)
  }

  @Test("Endless brackets cost no more than their length")
  func hostile() throws {
    for text in [
      String(repeating: "{\"subFrames\":[", count: 200_000), String(repeating: "[", count: 400_000),
      String(repeating: "\"", count: 400_000), String(repeating: "]", count: 400_000),
    ] {
      let reports = try FormatRegistry.builtIn.allReports(
        in: Array("{\"callStacks\":[{\"callStackRootFrames\":[\(text)".utf8))
      #expect(reports.count <= 1)
    }
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = try sample().array
    for count in stride(from: 0, to: bytes.count - 3, by: 11) {
      let reports = try FormatRegistry.builtIn.allReports(in: Array(bytes[..<count]))
      #expect(reports.count <= 2)
    }
    var mutator = Mutator(seed: 8)
    for _ in 0..<300 {
      for report in try FormatRegistry.builtIn.allReports(in: mutator.mutated(bytes)) {
        #expect(report.threads.count < 100)
      }
    }
  }
}
