import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Events of SDKs, Socorro and CASR")
struct SDKEventReaderTests {
  private func reports(_ text: String) throws -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    } catch {
      return []
    }
  }

  @Test("Bugsnag: exceptions with causes, app and device")
  func bugsnag() throws {
    let text = try ByteView(
      reading: Samples.path("sdk-event/missing-price-1.0.0-bugsnag.json"), limit: 1 << 20
    ).text
    let report = try #require(try reports(text).first)
    #expect(report.format.description == "sdk-event" && report.kind == .crash)
    #expect(report.app.identifier == "example.tern" && report.app.version == "1.0.0")
    #expect(report.os == OperatingSystem(name: "Linux", version: "6.1") && report.user == "till-1")
    #expect(report.time == Timestamp("2026-05-01T10:11:12Z") && report.tags[.locale] == "en_GB")
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "PaymentError" && exception.frames.map(\.line) == [11, 12])
    #expect(exception.frames.map(\.inApp) == [true, nil])
    #expect(exception.inner.map(\.message) == ["item.price is undefined"])
  }

  @Test("Bugsnag's signal of native code is that of the crashed thread")
  func native() throws {
    let text = """
      {"exceptions": [{"errorClass": "SIGSEGV", "message": "Segmentation violation", "type": "c", "stacktrace": [
         {"frameAddress": "0x78c88a180cb0", "symbolAddress": "0x78c88a180c9c", "loadAddress": "0x78c88a180000",
          "lineNumber": 3248, "isPC": true, "file": "/data/lib/libtern.so", "method": "pick",
          "codeIdentifier": "3d33ca9c27cb3a0b28fcab56252e46bc080cea06"},
         {"frameAddress": "0x78c88a180db8", "loadAddress": "0x78c88a180000", "file": "/data/lib/libtern.so"}]}],
       "unhandled": true, "severityReason": {"type": "signal", "attributes": {"signalType": "SIGSEGV"}},
       "threads": [{"id": "1", "name": "render"}, {"id": "29630", "errorReportingThread": true, "name": "main"}]}
      """
    let report = try #require(try reports(text).first)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.exception == nil)
    #expect(report.crashedThread == 1)
    let frames = try #require(report.threads.last?.frames)
    #expect(frames.map(\.imageOffset) == [ImageOffset(0xcb0), ImageOffset(0xdb8)])
    #expect(frames.map(\.position) == [.exact, .returnAddress] && frames[0].symbolOffset == 0x14)
    #expect(report.images.map(\.name) == ["libtern.so"])
    #expect(report.images.first?.codeID?.description == "3d33ca9c27cb3a0b28fcab56252e46bc080cea06")
  }

  @Test("measure: addresses without 0x, images, and offsets into an obfuscated Dart program")
  func measure() throws {
    let apple = """
      {"exceptions": [{"type": "NSRangeException", "message": "beyond", "signal": "SIGABRT", "frames": [
         {"symbol_address": "0000000104f5af7c", "binary_name": "Tern", "in_app": true,
          "binary_address": "0000000104f50000", "offset": 1252}]}],
       "binary_images": [{"arch": "arm64", "name": "Tern", "uuid": "58e1fac954f53cf2945a0f6f2e16786c",
         "start_addr": "0000000104f50000", "end_addr": "0000000105094000", "path": "/var/Tern.app/Tern"}],
       "threads": [{"name": "Thread 1", "sequence": 1, "frames": []}], "handled": false}
      """
    let report = try #require(try reports(apple).first)
    let frame = try #require(report.reason.exception?.frames.first)
    #expect(frame.imageOffset == ImageOffset(0xaf7c) && frame.image == 0 && frame.inApp == true)
    #expect(report.images.count == 1 && report.images[0].size == 0x144000)
    #expect(report.images[0].debugID == DebugID("58e1fac954f53cf2945a0f6f2e16786c"))
    let dart = """
      {"id": "18", "type": "exception", "timestamp": "2026-04-08T08:30:48.69Z", "exception": {"exceptions": [
         {"type": "FormatException", "message": "x", "frames": [{"instruction_address": "0x708aaab7e05b"}]}],
         "binary_images": [{"uuid": "ea47d982ecc4473f2a94b949fe4b9166", "arch": "arm64", "base_addr": "708aaa8b8000"}]},
       "attribute": {"app_version": "0.4.0", "app_build": "1", "os_name": "android", "device_model": "sdk"}}
      """
    let second = try #require(try reports(dart).first)
    #expect(second.app.version == "0.4.0" && second.os.name == "Android")
    #expect(second.reason.exception?.frames.first?.imageOffset == ImageOffset(0x2c605b))
  }

  @Test(
    "Rollbar, Raygun, Airbrake and AppSignal",
    arguments: [
      #"{"data": {"environment": "live", "body": {"trace": {"frames": [{"filename": "b.rb", "lineno": 9, "method": "main"}, {"filename": "a.rb", "lineno": 3, "method": "total"}], "exception": {"class": "KeyError", "message": "no price"}}}}}"#,
      #"{"occurredOn": "2026-05-01T10:11:12Z", "details": {"error": {"className": "KeyError", "message": "no price", "stackTrace": [{"fileName": "a.rb", "lineNumber": 3, "methodName": "total"}, {"fileName": "b.rb", "lineNumber": 9, "methodName": "main"}]}}}"#,
      #"{"errors": [{"type": "KeyError", "message": "no price", "backtrace": [{"file": "a.rb", "line": 3, "function": "total"}, {"file": "b.rb", "line": 9, "function": "main"}]}], "context": {"version": "1"}}"#,
      #"{"error": {"name": "KeyError", "message": "no price", "backtrace": ["a.rb:3:in `total'", "b.rb:9:in `main'"]}}"#,
    ])
  func others(text: String) throws {
    let report = try #require(try reports(text).first)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "KeyError" && exception.message == "no price")
    #expect(exception.frames.map(\.function) == ["total", "main"])
    #expect(
      exception.frames.map(\.file) == ["a.rb", "b.rb"] && exception.frames.map(\.line) == [3, 9])
  }

  @Test("A crash of Socorro, and a raw one with the client's stacks")
  func socorro() throws {
    let text = try ByteView(reading: Samples.path("socorro/null-read-1.0.0.json"), limit: 1 << 20)
      .text
    let report = try #require(try reports(text).first)
    #expect(report.format.description == "socorro" && report.crashedThread == 0)
    #expect(report.reason.signal == "SIGSEGV" && report.reason.code == "SEGV_MAPERR")
    #expect(report.reason.address == Address(0x18) && report.device.architecture == .x86_64)
    let frames = report.threads[0].frames
    #expect(frames.map(\.inlined) == [true, false, false])
    #expect(frames.map(\.position) == [.exact, .exact, .adjusted])
    #expect(frames[1].file == "src/till.cpp" && frames[1].symbolOffset == 0x14)
    #expect(report.threads[0].registers.map(\.name) == ["rip", "rsp"])
    let raw = """
      {"ProductName": "Tern", "Version": "1.0", "BuildID": "2026", "CrashTime": "1795228935", "MozCrashReason": "no stock",
       "StackTraces": "{\\"crash_info\\": {\\"type\\": \\"SIGABRT\\", \\"crashing_thread\\": 0}, \\"modules\\": [{\\"base_addr\\": \\"0x1000\\", \\"end_addr\\": \\"0x2000\\", \\"filename\\": \\"tern\\"}], \\"threads\\": [{\\"frames\\": [{\\"ip\\": \\"0x1234\\", \\"module_index\\": 0, \\"trust\\": \\"context\\"}]}]}"}
      """
    let second = try #require(try reports(raw).first)
    #expect(second.app == AppIdentity(name: "Tern", version: "1.0", build: "2026"))
    #expect(second.reason.signal == "SIGABRT" && second.reason.message == "no stock")
    #expect(second.threads.first?.frames.first?.imageOffset == ImageOffset(0x234))
  }

  @Test("A report of CASR")
  func casr() throws {
    let text = try ByteView(reading: Samples.path("casr/null-read-1.0.0.casrep"), limit: 1 << 20)
      .text
    let report = try #require(try reports(text).first)
    #expect(report.format.description == "casr" && report.reason.type == "SourceAvNearNull")
    let frames = report.threads[0].frames
    #expect(frames.map(\.function) == ["tern::priceOf", "tern::lineTotal", "__libc_start_main"])
    #expect(
      frames.map(\.line) == [12, 20, nil]
        && frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    #expect(frames[1].imageOffset == ImageOffset(0x2234) && report.images.map(\.size) == [0xd000])
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let names = [
      "socorro/null-read-1.0.0.json", "casr/null-read-1.0.0.casrep",
      "sdk-event/missing-price-1.0.0-bugsnag.json",
    ]
    for name in names {
      let bytes = try ByteView(reading: Samples.path(name), limit: 1 << 20).array
      for count in stride(from: 0, to: bytes.count, by: 7) {
        #expect(try reports(String(decoding: bytes[..<count], as: UTF8.self)).count <= 1)
      }
      var mutator = Mutator(seed: 1)
      for _ in 0..<100 {
        let text = String(decoding: mutator.mutated(bytes), as: UTF8.self)
        #expect(try reports(text).flatMap(\.threads).flatMap(\.frames).count < 1000)
      }
    }
  }
}
