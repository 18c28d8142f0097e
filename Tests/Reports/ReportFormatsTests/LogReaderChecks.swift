import Bytes
import CrashModel
import ReportFormats
import TestSupport
import Testing

/// Checks for all readers of runtime output.
enum LogReaderChecks {
  static func sample(_ name: String) throws -> String {
    try ByteView(reading: "\(Samples.folder)/\(name)", limit: 1 << 20).text
  }

  /// The reports in a text; empty if it is refused.
  static func reports(_ text: String) throws -> [CrashReport] { try reports(Array(text.utf8)) }

  static func reports(_ bytes: [UInt8]) throws -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: ByteView(bytes))
    } catch {
      // Less than a report is left.
      try #require(error.kind == .notRecognised)
      return []
    }
  }

  /// The only report in a text.
  static func only(_ text: String) throws -> CrashReport {
    let reports = try reports(text)
    try #require(reports.count == 1)
    return reports[0]
  }

  /// The report itself, three times in one log, each line after a logger's prefix, and between other lines.
  static func expectSame(_ text: String, in format: ReportFormat) throws {
    var plain = try reports(text)
    try #require(plain.count == 1 && plain[0].format == format)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let prefixed = lines.map { "May 01 10:11:12 host tern[42]: \($0)\n" }.joined()
    var log = try reports("starting\n" + prefixed + prefixed + prefixed)
    try #require(log.count == 3)
    // A trailing space may be lost, and text after the report is not part of it.
    for index in log.indices { log[index].notes = [] }
    plain[0].notes = []
    #expect(log[0] == plain[0] && log[1] == plain[0])
    #expect(log[2].reason == plain[0].reason && log[2].threads == plain[0].threads)
    let windows = text.replacing("\n", with: "\r\n")
    #expect(try reports(windows).map(\.reason) == plain.map(\.reason))
  }

  /// Truncated or damaged anywhere, it is read or refused.
  static func expectBounded(_ text: String, seed: UInt64 = 1, copies: Int = 60) throws {
    let bytes = Array(text.utf8)
    let step = max(1, bytes.count / 300)
    for count in stride(from: 0, to: bytes.count, by: step) {
      for report in try reports(Array(bytes[..<count])) { #expect(report.notes.count < 6) }
    }
    var mutator = Mutator(seed: seed)
    for copy in mutator.copies(of: bytes, count: copies) {
      for report in try reports(copy) { #expect(report.threads.count < 2000) }
    }
  }

  static func functions(_ frames: [Frame]) -> [String?] { frames.map(\.function) }
}

extension FormatRegistry {
  /// The reports; empty if the bytes are refused.
  func allReports(in bytes: [UInt8]) throws -> [CrashReport] {
    do throws(ParseError) { return try reports(in: ByteView(bytes)) } catch {
      try #require(!error.description.isEmpty)
      return []
    }
  }
}
