import Bytes
import CrashModel
import JSON
import ReportDocument
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("symbolicate")
struct SymbolicateCommandTests {
  private let report = Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")

  @Test(
    "A report comes out with functions and lines, in each form", arguments: ["text", "json", "md"])
  func forms(form: String) {
    let run = Run(["symbolicate", report, "--symbols", Samples.symbols, "--format", form])
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains("tern::priceOf"))
    #expect(run.output.contains("/app/src/basket.h"))
  }

  @Test("The document reads back, and names the program that wrote it")
  func document() throws {
    let run = Run(["symbolicate", report, "--symbols", Samples.symbols, "--json"])
    let stored = try StoredReport(document: ByteView(Array(run.output.utf8)))
    #expect(stored.id.count == 32)
    let crashed = try #require(stored.report.crashedThread)
    let frames = stored.report.threads[crashed].frames
    #expect(frames.contains { $0.file == "/app/src/basket.h" && $0.line == 17 && $0.inApp == true })
    #expect(stored.report.images.contains { $0.symbols?.verdict == .found })
    #expect(stored.report.engine?.debugFiles.isEmpty == false)
    #expect(stored.report.signature?.steps.isEmpty == false)
  }

  @Test("Several reports are one array")
  func several() throws {
    let other = Samples.path("apple-crash/null-read-1.1.0-macos-x86_64.crash")
    let run = Run(["symbolicate", report, other, "--json"])
    let value = try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
    #expect(value.array?.compactMap { $0["format"]?.string } == ["apple-ips", "apple-crash"])
  }

  @Test(
    "The reports of several files are below the names of their files", arguments: ["text", "md"])
  func files(form: String) throws {
    let other = Samples.path("apple-crash/null-read-1.1.0-macos-x86_64.crash")
    let words = ["symbolicate", report, other, "--format", form]
    let run = Run(words, environment: ["COLUMNS": "200"])
    let first = try #require(run.output.firstRange(of: "apple-ips/null-read-1.1.0-ios-arm64.ips"))
    let second = try #require(run.output.firstRange(of: "null-read-1.1.0-macos-x86_64.crash"))
    #expect(first.lowerBound < second.lowerBound && run.output.prefix(200).contains("null-read"))
    let one = Run(["symbolicate", report, "--format", form])
    #expect(!one.output.contains("null-read-1.1.0-ios-arm64.ips"))
  }

  @Test("Everything is shown on request")
  func full() {
    let short = Run(["symbolicate", report, "--symbols", Samples.symbols]).output
    let full = Run(["symbolicate", report, "--symbols", Samples.symbols, "--full"]).output
    #expect(full.count > short.count && full.contains("0x00000000000000"))
  }

  @Test("A file that is not a report is a failure; beside a report it makes the batch incomplete")
  func refused() {
    let folder = ScratchFolder()
    let text = folder.write("text", Array("nothing".utf8))
    let alone = Run(["symbolicate", text])
    #expect(alone.status == 1 && alone.output == "")
    #expect(alone.errors.hasPrefix("mayday: \(text): "), "\(alone.errors)")
    let both = Run(["symbolicate", text, report])
    #expect(both.status == 6 && both.output.contains("EXC_BAD_ACCESS"))
    #expect(Run(["symbolicate", folder.path("none")]).status == 3)
    #expect(Run(["symbolicate", report, "--require-symbols"]).status == 6)
  }

  @Test("A truncated report is still a report")
  func cut() throws {
    let bytes = try ByteView(reading: report, limit: 1 << 20).array
    let text = String(decoding: bytes.prefix(bytes.count * 2 / 3), as: UTF8.self)
    let run = Run(["symbolicate", "-"], input: text)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("Notes:"))
  }
}
