import Bytes
import CrashModel
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Apple's JSON inside other text")
struct AppleIPSLogTests {
  private func sample() throws -> String {
    try ByteView(
      reading: Samples.folder + "/apple-ips/null-read-1.1.0-macos-arm64.ips", limit: 1 << 20
    ).text
  }

  private func read(_ text: String) throws -> [CrashReport] {
    try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  @Test("A report pasted into a message, and several in one log")
  func pasted() throws {
    let expected = try #require(try read(sample()).first)
    let text = "My app crashed:\n```\n\(try sample())```\nbye {\"a\": 1}\n"
    #expect(try read(text) == [expected])
    #expect(try read(text + text) == [expected, expected])
  }

  @Test(
    "A report behind a logger's prefix",
    arguments: ["> ", "May 01 10:11:12 host app[42]: ", "2026-05-01T10:11:12Z web-1 | "])
  func prefixed(prefix: String) throws {
    let expected = try #require(try read(sample()).first)
    let lines = try sample().split(separator: "\n").map { prefix + $0 + "\n" }.joined()
    let reports = try read("noise\n" + lines + prefix + "done\n")
    #expect(reports == [expected])
  }

  @Test("Header and body in the line of a message, far into a log")
  func oneLine() throws {
    let header = #"{"app_name":"Tern","bug_type":"309","os_version":"iPhone OS 17.0 (21A329)"}"#
    let body =
      #"{"procName":"Tern","bug_type":"309","faultingThread":0,"threads":[{"frames":[{"imageOffset":4,"imageIndex":0}]}],"#
      + #""usedImages":[{"base":4096,"size":4096,"name":"Tern}"}]}"#
    let log = String(repeating: "noise\n", count: 20_000) + "crash: \(header)\(body) end\nmore\n"
    let report = try #require(try read(log).first)
    #expect(report.app.name == "Tern" && report.threads.map(\.frames.count) == [1])
    #expect(report.images.map(\.name) == ["Tern}"] && report.os.version == "17.0")
  }

  @Test("A header alone, truncated or followed by text, does not consume what follows")
  func headerAlone() throws {
    let text =
      "a\n" + #"{"app_name":"Tern","bug_type":"109","os_version":"iPhone OS 7.0"}"# + "\nIncident\n"
    #expect(try FormatRegistry.builtIn.allReports(in: Array(text.utf8)).isEmpty)
    let bytes = Array(("x: y\n" + (try sample())).utf8)
    for count in stride(from: 0, to: bytes.count, by: 9) {
      #expect(try FormatRegistry.builtIn.allReports(in: Array(bytes[..<count])).count <= 1)
    }
  }

  @Test("Endless headers cost no more than their length")
  func hostile() throws {
    let text = "x\n" + String(repeating: "{\"bug_type\":\"309\",\n", count: 50_000)
    #expect(try FormatRegistry.builtIn.allReports(in: Array(text.utf8)).count <= 1)
  }
}
