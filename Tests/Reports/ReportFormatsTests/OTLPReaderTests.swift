import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("OpenTelemetry's records")
struct OTLPReaderTests {
  private func reports(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  /// A request with one record.
  private func logs(_ record: String) -> String {
    """
    {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"tern"}},\
    {"key":"process.pid","value":{"intValue":"4711"}},{"key":"host.arch","value":{"stringValue":"amd64"}}]},\
    "scopeLogs":[{"logRecords":[\(record)]}]}]}
    """
  }

  private func attributes(_ pairs: KeyValuePairs<String, String>) -> String {
    pairs.map { #"{"key":"\#($0)","value":{"stringValue":"\#($1)"}}"# }.joined(separator: ",")
  }

  @Test("A crash of an app, with its cause; other records are not reports")
  func crash() throws {
    let reports = try reports(try LogReaderChecks.sample("otlp/missing-price-1.0.0.json"))
    try #require(reports.count == 1)
    let report = reports[0]
    #expect(report.format.description == "otlp" && report.kind == .crash)
    #expect(report.app.name == "tern" && report.app.version == "1.0.0" && report.app.build == "100")
    #expect(report.os.name == "Android" && report.os.version == "16")
    #expect(report.device.model == "panther" && report.tags[.threadName] == "main")
    #expect(report.time?.description == "2026-05-01T10:12:47.48192Z")
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "java.lang.IllegalStateException")
    #expect(exception.frames.first?.function == "shop.tern.Till.charge")
    #expect(exception.inner.first?.frames.first?.line == 12)
  }

  @Test("Exceptions in records below FATAL and in spans are handled, in each language")
  func handled() throws {
    let python = attributes([
      "exception.type": "IndexError", "exception.message": "list index out of range",
      "exception.stacktrace":
        #"Traceback (most recent call last):\n  File \"/opt/cart.py\", line 12, in total\n    return x[9]\nIndexError: list index out of range\n"#,
    ])
    let script = attributes([
      "exception.type": "TypeError", "exception.message": "items is undefined",
      "exception.stacktrace": #"at total (/opt/cart.js:12:5)\n    at main (/opt/main.js:3:1)"#,
    ])
    let span = """
      {"resource_spans":[{"scope_spans":[{"spans":[{"name":"pay","events":[\
      {"name":"cache.miss"},{"name":"exception","timeUnixNano":"1777630367481920173","attributes":[\(script)]}]}]}]}]}
      """
    let reports = try reports(
      logs(#"{"severityNumber":17,"attributes":[\#(python)]}"#) + "\n" + span)
    try #require(reports.count == 2)
    #expect(reports.map(\.kind) == [.handled, .handled])
    #expect(reports[0].process.pid == 4711 && reports[0].device.architecture == .x86_64)
    #expect(reports[0].reason.exception?.frames.first?.file == "/opt/cart.py")
    #expect(reports[1].reason.exception?.type == "TypeError")
    #expect(reports[1].reason.exception?.message == "items is undefined")
    #expect(reports[1].reason.exception?.frames.map(\.function) == ["total", "main"])
  }

  @Test("Without a stack it has a note, and a hang is a hang")
  func without() throws {
    let crash = try reports(
      logs(
        #"{"eventName":"app.crash","attributes":[\#(attributes(["exception.type": "SIGSEGV"]))]}"#))
    #expect(crash.first?.kind == .crash && crash.first?.reason.type == "SIGSEGV")
    #expect(crash.first?.notes.isEmpty == false)
    let hang = try reports(logs(#"{"attributes":[\#(attributes(["event.name": "device.anr"]))]}"#))
    #expect(hang.first?.kind == .hang)
  }

  @Test("A document of its own format inside a stack is not parsed")
  func nested() throws {
    let inner = logs(#"{"eventName":"app.crash"}"#).replacing("\"", with: "\\\"")
    let outer = logs(
      #"{"eventName":"app.crash","attributes":[\#(attributes(["exception.stacktrace": inner]))]}"#)
    #expect(try reports(outer).count == 1)
  }

  @Test("Other records, and truncated ones, are refused or read in part")
  func others() throws {
    #expect(throws: (any Error).self) { try reports(logs(#"{"body":{"stringValue":"opened"}}"#)) }
    let sample = try LogReaderChecks.sample("otlp/missing-price-1.0.0.json")
    for end in stride(from: 0, to: sample.utf8.count, by: 7) {
      _ = try? reports(String(sample.prefix(end)))
    }
  }
}
