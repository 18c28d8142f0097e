import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("KSCrash's JSON")
struct KSCrashReaderTests {
  private func read(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  private func sample(_ name: String) throws -> ByteView {
    try ByteView(reading: Samples.folder + "/kscrash/\(name).json", limit: 1 << 20)
  }

  private func other(_ name: String) throws -> CrashReport {
    let bytes = try ByteView(
      reading: Samples.folder + "/apple-ips/\(name).ips", limit: 1 << 20)
    return try #require(try FormatRegistry.builtIn.reports(in: bytes).first)
  }

  @Test(
    "A report says what the system's own report of the incident says",
    arguments: ["null-read-1.1.0-ios-arm64", "raised-exception-1.1.0-ios-arm64"])
  func sameIncident(name: String) throws {
    let report = try #require(try FormatRegistry.builtIn.reports(in: sample(name)).first)
    let system = try other(name)
    #expect(report.format.description == "kscrash" && report.notes.isEmpty)
    #expect(report.incident?.lowercased() == system.incident?.lowercased())
    #expect(report.app.identifier == system.app.identifier)
    #expect(report.app.version == system.app.version && report.app.build == system.app.build)
    #expect(report.os == system.os)
    #expect(report.device == system.device)
    #expect(report.process.pid == system.process.pid && report.process.path == system.process.path)
    #expect(report.time?.seconds == system.time?.seconds)
    #expect(
      report.reason.signal == system.reason.signal && report.crashedThread == system.crashedThread)
    #expect(report.images.map(\.debugID) == system.images.map(\.debugID))
    #expect(report.reason.exception?.type == system.reason.exception?.type)
    let crashed = try #require(report.crashedThread)
    let frames = report.threads[crashed].frames
    if let exception = system.reason.exception {
      #expect(frames.map(\.imageOffset) == exception.frames.map(\.imageOffset))
      #expect(frames.allSatisfy { $0.position == .returnAddress })
      #expect(report.reason.exception?.message == exception.message)
    } else {
      #expect(frames.map(\.imageOffset) == system.threads[crashed].frames.map(\.imageOffset))
      #expect(frames.map(\.position) == system.threads[crashed].frames.map(\.position))
      #expect(
        report.reason.address == system.reason.address && report.reason.type == system.reason.type)
      #expect(report.reason.code == system.reason.code)
    }
    #expect(report.properties["desk"] == "till 3" && report.properties["basket.lines"] == "2")
  }

  /// A report with this error.
  private func text(_ error: String, threads: String = "[]", more: String = "") -> String {
    """
    {"report": {"id": "A1", "type": "standard", "timestamp": 1600000000123456, "process_name": "tern",
      "version": {"major": 3, "minor": 2}}, "system": {"system_name": "Mac OS", "system_version": "10.15.7",
      "os_version": "19H114", "cpu_arch": "arm64"}, "crash": {"error": \(error), "threads": \(threads)}\(more)}
    """
  }

  private static let kindLines: [(String, ReportKind, String?, String?, String?)] = [
    (
      "{\"type\": \"mach\", \"mach\": {\"exception\": 1, \"code\": \"0x2\"}}", .crash,
      "EXC_BAD_ACCESS", "KERN_PROTECTION_FAILURE", nil
    ),
    (
      "{\"type\": \"mach\", \"mach\": {\"exception\": 6, \"exception_name\": \"EXC_BREAKPOINT\", \"code\": 1}}",
      .crash, "EXC_BREAKPOINT", "EXC_ARM_BREAKPOINT", nil
    ),
    (
      "{\"type\": \"signal\", \"signal\": {\"signal\": 11, \"name\": \"SIGSEGV\", \"code_name\": \"SEGV_NOOP\"}}",
      .crash, nil, nil, nil
    ),
    (
      "{\"type\": \"nsexception\", \"reason\": \"no\", \"nsexception\": {\"name\": \"NSRange\"}}",
      .crash, nil, nil, "NSRange: no"
    ),
    (
      "{\"type\": \"cpp_exception\", \"reason\": \"no\", \"cpp_exception\": {\"name\": \"E\"}}",
      .crash, nil, nil, "E: no"
    ),
    (
      "{\"type\": \"user\", \"reason\": \"no\", \"user_reported\": {\"name\": \"U\"}}", .handled,
      nil, nil, "U: no"
    ),
    (
      "{\"type\": \"deadlock\", \"mach\": {\"exception\": 0}, \"signal\": {\"signal\": 0}}", .hang,
      nil, nil, nil
    ),
    (
      "{\"type\": \"memory_termination\", \"memory_termination\": {\"memory_pressure\": \"critical\"}}",
      .oom, "memory termination", "critical", nil
    ),
    (
      "{\"type\": \"termination\", \"termination_reason\": \"memory_limit\"}", .oom, "termination",
      "memory_limit", nil
    ),
  ]

  @Test("All kinds of errors", arguments: kindLines)
  func kinds(error: String, kind: ReportKind, type: String?, code: String?, exception: String?)
    throws
  {
    let report = try #require(try read(text(error)).first)
    #expect(report.kind == kind && report.reason.type == type && report.reason.code == code)
    let found = report.reason.exception.map { "\($0.type ?? ""): \($0.message ?? "")" }
    #expect(found == exception)
    #expect(report.time == Timestamp(microseconds: 1_600_000_000_123_456))
    #expect(report.os == OperatingSystem(name: "macOS", version: "10.15.7", build: "19H114"))
    #expect(report.tags[.sdkVersion] == "3.2")
  }

  @Test("A report from an app's own language has its frames")
  func userStack() throws {
    let error = """
      {"type": "user", "reason": "no", "user_reported": {"name": "Error", "language": "js",
       "backtrace": ["total@index.ios.bundle:12:345", "pay@index.ios.bundle:8:1"]}}
      """
    let report = try #require(try read(text(error)).first)
    let frames = try #require(report.reason.exception?.frames)
    #expect(frames.map(\.function) == ["total", "pay"] && frames[0].line == 12)
  }

  @Test("Frames without images in the list, redacted and distant symbols")
  func frames() throws {
    let threads = """
      [{"index": 3, "crashed": true, "name": "till", "dispatch_queue": "q", "backtrace": {"skipped": 2, "contents": [
        {"instruction_addr": 4100, "object_addr": 4096, "object_name": "libtern.dylib", "symbol_addr": 4097, "symbol_name": "pay"},
        {"instruction_addr": "0x2004", "object_addr": 8192, "object_name": "/b/c", "symbol_name": "<redacted>", "symbol_addr": 8192},
        {"instruction_addr": 18446744073709551615}]}, "registers": {"basic": {"pc": 18446744073709551615, "sp": "0x10"}}}]
      """
    let report = try #require(try read(text("{}", threads: threads)).first)
    let thread = try #require(report.threads.first)
    #expect(
      thread.index == 3 && thread.name == "till" && thread.registers.map(\.value) == [.max, 16])
    #expect(thread.frames.map(\.function) == ["pay", nil, nil])
    #expect(thread.frames.map(\.imageOffset?.value) == [4, 4, nil])
    #expect(thread.frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    #expect(report.images.map(\.name) == ["libtern.dylib", "c"])
    #expect(report.notes == ["2 frames of thread 3 were left out by the crash reporter"])
  }

  @Test("The message of Swift's runtime is in its library's entry")
  func imageMessage() throws {
    let images = """
      , "binary_images": [{"name": "/usr/lib/swift/libswiftCore.dylib", "image_addr": 1, "image_size": 1,
         "crash_info_message": "Tern/Till.swift:53: Fatal error: no till\\n"},
        {"name": "/S/AppKit", "image_addr": 5, "crash_info_message": "Performing @selector(x)"}]
      """
    let report = try #require(try read(text("{\"type\": \"mach\"}", more: images)).first)
    #expect(report.reason.message == "Tern/Till.swift:53: Fatal error: no till")
  }

  @Test("A crash of the crash reporter is a separate report, whichever contains the other")
  func recrash() throws {
    let minimal = """
      {"crash": {"error": {"type": "mach", "mach": {"exception": 1}}, "crashed_thread": {"index": 7, "crashed": true,
       "backtrace": {"contents": [{"instruction_addr": 4100}]}}}, "report": {"type": "minimal", "id": "B", "version": "3"}}
      """
    let images =
      "\"binary_images\": [{\"name\": \"/x/Tern\", \"image_addr\": 4096, \"image_size\": 4096}]"
    let threads =
      "[{\"crashed\": true, \"backtrace\": {\"contents\": [{\"instruction_addr\": 5000}]}}]"
    let outer = text(
      "{\"type\": \"mach\"}", threads: threads,
      more: ", \(images), \"incomplete\": true, \"recrash_report\": \(minimal)")
    let reports = try read(outer)
    #expect(reports.map(\.incident) == ["A1", "B"])
    #expect(reports.map { $0.threads[0].frames[0].image } == [0, 0])
    #expect(reports[1].app == reports[0].app && reports[1].threads[0].index == 7)
    #expect(reports[1].notes == ["This is a crash of the crash reporter itself."])
    let first = text("{\"type\": \"mach\"}", threads: threads, more: ", \(images)")
    let newer = String(minimal.dropLast()) + ", \"recrash_report\": \(first)}"
    let swapped = try read(newer)
    #expect(swapped.map(\.incident) == ["A1", "B"])
    #expect(swapped[1].notes == ["This is a crash of the crash reporter itself."])
  }

  @Test("A comma before a closing bracket, and missing parts")
  func loose() throws {
    let report = try #require(
      try read("{\"report\": {\"id\": \"1\", \"type\": \"standard\", \"version\": \"3\",},}").first)
    #expect(report.notes.count == 2 && report.threads.isEmpty)
    #expect(try read("{\"binary_images\": [{\"image_addr\": 1}], \"system\": {}}").count == 1)
  }

  @Test("Several reports, one after the other or in a list")
  func several() throws {
    let one = text("{\"type\": \"mach\"}")
    for text in [one + "\n" + one, "[\(one), \(one)]", "\n[\n\(one)\n,\(one)]\n"] {
      #expect(try read(text).map(\.incident) == ["A1", "A1"])
    }
  }

  @Test(
    "Other JSON is not taken for it",
    arguments: [
      "{\"report\": {\"type\": \"standard\"}}", "{\"crash\": {\"threads\": []}}",
      "{\"crash\": \"x\", \"system\": \"y\", \"report\": 1}",
      "{\"threads\": [], \"binary_images\": 3}",
    ])
  func others(text: String) throws {
    #expect(!KSCrashReader.recognises(ByteView(text.utf8)))
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = try sample("raised-exception-1.1.0-ios-arm64").array
    for count in stride(from: 0, to: bytes.count - 3, by: 7) {
      let reports = try FormatRegistry.builtIn.allReports(in: Array(bytes[..<count]))
      #expect(reports.count <= 1)
      if let report = reports.first { #expect(!report.notes.isEmpty) }
    }
    #expect(try FormatRegistry.builtIn.allReports(in: Array(bytes[..<4000])).count == 1)
    var mutator = Mutator(seed: 6)
    for _ in 0..<300 {
      for report in try FormatRegistry.builtIn.allReports(in: mutator.mutated(bytes)) {
        #expect(report.threads.count < 100)
      }
    }
  }
}
