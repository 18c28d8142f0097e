import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Sentry's events")
struct SentryEventReaderTests {
  private static let name = "null-read-1.1.0-ios-arm64"

  private func sample() throws -> ByteView {
    try ByteView(reading: Samples.folder + "/sentry-event/\(Self.name).json", limit: 1 << 20)
  }

  private func read(_ text: String) throws -> CrashReport? {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first
  }

  @Test(
    "Calls of .NET have the token of their method; images that are left out do not shift others")
  func dotNet() throws {
    let id = "01020304-0506-0708-090a-0b0c0d0e0f10"
    let text = """
      {"event_id": "9ec79c33ec9942ab8353589fcb2e04dc", "platform": "csharp", "debug_meta": {"images": [
        {"type": "unknown"}, {"type": "pe_dotnet", "code_file": "/app/Shop.dll", "debug_id": "\(id)-deadbeef"},
        {"type": "sourcemap", "code_file": "https://shop.example/main.js", "debug_id": "\(id)"}]},
       "exception": {"values": [{"type": "E", "value": "v", "stacktrace": {"frames": [
        {"function": "int Total()", "module": "Shop.Cart", "instruction_addr": "0x1f",
         "addr_mode": "rel:1", "function_id": "0x6000012"}]}}]}}
      """
    let report = try #require(try SentryEventReader.reports(in: ByteView(text.utf8)).first)
    #expect(report.images.map(\.architecture) == [.cil, .javaScript])
    #expect(report.images.first?.debugID?.age == 0xdead_beef)
    let frame = try #require(report.reason.exception?.frames.first)
    #expect(
      frame.image == 0 && frame.imageOffset == ImageOffset(0x1f) && frame.symbol == "0x6000012")
    #expect(frame.function == "Shop.Cart.Total()" && frame.position == .adjusted)
  }

  @Test("An event has the facts of the system's own report of the incident")
  func sameIncident() throws {
    let report = try #require(try FormatRegistry.builtIn.reports(in: sample()).first)
    let bytes = try ByteView(
      reading: Samples.folder + "/apple-ips/\(Self.name).ips", limit: 1 << 20)
    let system = try #require(try FormatRegistry.builtIn.reports(in: bytes).first)
    #expect(report.format.description == "sentry-event" && report.notes.isEmpty)
    #expect(report.app == system.app && report.os == system.os && report.device == system.device)
    #expect(report.time?.seconds == system.time?.seconds && report.kind == .crash)
    #expect(
      report.reason.type == system.reason.type && report.reason.signal == system.reason.signal)
    #expect(report.reason.address == system.reason.address)
    #expect(report.tags[.cause] == "Attempted to dereference null pointer.")
    #expect(report.crashedThread == system.crashedThread)
    #expect(report.images.map(\.debugID) == system.images.map(\.debugID))
    for (one, other) in zip(report.threads, system.threads) {
      #expect(one.frames.map(\.imageOffset) == other.frames.map(\.imageOffset))
      #expect(one.frames.map(\.position) == other.frames.map(\.position))
    }
    #expect(report.properties == ["desk": "till 3", "environment": "shop"])
  }

  @Test("Exceptions of a language with their causes, oldest first in the event")
  func causes() throws {
    let report = try #require(
      try read(
        """
        {"event_id": "F0", "platform": "java", "tags": [["a", "b"]], "release": "1.2", "exception": {"values": [
          {"type": "IOException", "module": "java.io", "value": "full", "stacktrace": {"frames": [
             {"module": "app.Main", "function": "main", "filename": "Main.java", "lineno": 3},
             {"module": "app.Disk", "function": "write", "filename": "Disk.java", "lineno": 9, "in_app": true}]}},
          {"type": "RuntimeException", "value": "no", "mechanism": {"type": "x", "handled": true},
           "stacktrace": {"frames": [{"module": "app.Till", "function": "pay"}]}}]}}
        """))
    let exception = try #require(report.reason.exception)
    #expect(
      exception.type == "RuntimeException" && exception.frames.map(\.function) == ["app.Till.pay"])
    let cause = try #require(exception.inner.first)
    #expect(cause.type == "java.io.IOException" && cause.message == "full")
    #expect(cause.frames.map(\.function) == ["app.Disk.write", "app.Main.main"])
    #expect(cause.frames[0].line == 9 && cause.frames[0].inApp == true)
    #expect(
      report.kind == .handled && report.app.version == "1.2" && report.properties == ["a": "b"])
  }

  private static let adjustments: [(String, [CodePosition])] = [
    ("", [.exact, .returnAddress]),
    (", \"instruction_addr_adjustment\": \"auto\"", [.exact, .returnAddress]),
    (", \"instruction_addr_adjustment\": \"all\"", [.returnAddress, .returnAddress]),
    (", \"instruction_addr_adjustment\": \"none\"", [.adjusted, .adjusted]),
  ]

  @Test("Which addresses are return addresses", arguments: adjustments)
  func positions(adjustment: String, positions: [CodePosition]) throws {
    let report = try #require(
      try read(
        """
        {"platform": "native", "exception": {"values": [{"type": "SIGSEGV", "stacktrace": {"frames": [
          {"instruction_addr": "0x2010"}, {"instruction_addr": "0x1010", "addr_mode": "rel:0"}]\(adjustment)}}]},
         "debug_meta": {"images": [{"type": "elf", "code_id": "cc2d19272e32c23387437d85bce6e9088126e779",
          "code_file": "/a/tern", "image_addr": "0x2000", "image_size": 4096}]}}
        """))
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.position) == positions && report.reason.signal == "SIGSEGV")
    #expect(frames.map(\.imageOffset?.value) == [0x1010, 0x10])
    #expect(report.images[0].debugID?.description == "27192dcc-322e-33c2-8743-7d85bce6e908")
  }

  @Test("The mapping of an Android app is an image of the code that it explains")
  func mapping() throws {
    let report = try #require(
      try read(
        """
        {"platform": "java", "exception": {"values": [{"type": "a", "module": "b.c", "stacktrace": {"frames": [
          {"module": "a.b", "function": "c", "lineno": 7, "filename": "SourceFile"}]}}]},
         "debug_meta": {"images": [{"type": "proguard", "uuid": "0b7c6f2e-5d0e-4f0a-9c55-3e3f2f2b9d11"},
          {"type": "jvm", "debug_id": "0b7c6f2e-5d0e-4f0a-9c55-3e3f2f2b9d12"}]}}
        """))
    #expect(report.images.map(\.architecture) == [.jvm])
    #expect(report.images[0].debugID?.description == "0b7c6f2e-5d0e-4f0a-9c55-3e3f2f2b9d11")
    #expect(report.reason.exception?.frames.map(\.function) == ["a.b.c"])
  }

  @Test(
    "Other JSON is not taken for it",
    arguments: [
      "{\"exception\": \"x\", \"platform\": \"y\"}", "{\"threads\": [{\"id\": 1}], \"tags\": {}}",
      "{\"event_id\": \"a\", \"platform\": \"b\", \"message\": \"c\"}",
      "{\"threads\": [{\"id\": 1, \"stacktrace\": []}], \"tags\": {}, \"platform\": \"c\"}",
    ])
  func others(text: String) throws {
    #expect(!SentryEventReader.recognises(ByteView(text.utf8)))
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = try sample().array
    for count in stride(from: 0, to: bytes.count - 3, by: 7) {
      let reports = try FormatRegistry.builtIn.allReports(in: Array(bytes[..<count]))
      #expect(reports.count <= 1)
    }
    var mutator = Mutator(seed: 9)
    for _ in 0..<300 {
      for report in try FormatRegistry.builtIn.allReports(in: mutator.mutated(bytes)) {
        #expect(report.threads.count < 100)
      }
    }
  }
}
