import Bytes
import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

/// The reports of MetricKit's interface since iOS 27, in all possible spellings.
@Suite("MetricKit's reports of iOS 27")
struct MetricKitReportTests {
  private static let own = "4C4C44B7-5555-3144-A18A-59939281A181"
  private static let tree = """
    {"callStackPerThread": true, "callStackThreads": [
    {"threadAttributed": false, "rootFrames": [{"binaryUUID": "D712C1BC-8E82-532F-95C5-1FA2706271D1",
    "address": 6790585644, "offsetIntoBinaryTextSegment": 7468, "sampleCount": 1}]},
    {"threadAttributed": true, "rootFrames": [{"binaryUUID": "\(own)", "address": 4295950528,
    "offsetIntoBinaryTextSegment": 16576, "sampleCount": 1, "subFrames": [{"binaryUUID": "\(own)",
    "address": 4295952292, "offsetIntoBinaryTextSegment": 18340, "sampleCount": 1}]}]}],
    "binaryInfo": TABLE}
    """
  private static let dictionary = #"{"\#(own)": {"name": "Tern", "uuid": "\#(own)"}}"#
  private static let list = #"["\#(own)", {"name": "Tern", "uuid": "\#(own)"}]"#
  private static let environment = """
    {"deviceType": "iPhone15,2", "bundleIdentifier": "shop.tern.till", "osVersion": "iPhone OS 27.0 (24A437)",
    "applicationVersion": "1.1.0", "applicationBuildVersion": "117", "platformArchitecture": "arm64e",
    "pid": 2551}
    """

  private func reports(_ result: String, table: String = dictionary) throws -> [CrashReport] {
    let text = """
      {"environment": \(Self.environment), "timeRange": {"start": 801000000.0, "duration": 40.0},
       "result": \(result.replacing("TREE", with: Self.tree.replacing("TABLE", with: table)))}
      """
    return try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
  }

  @Test("A crash, however its value and its image table are wrapped")
  func crash() throws {
    let facts = #""exceptionType": 1, "exceptionCode": 1, "signal": 11"#
    for (result, table) in [
      (#"{"crash": {"_0": {"callStackTree": TREE, \#(facts)}}}"#, Self.dictionary),
      (#"{"crash": {"callStackTree": TREE, \#(facts)}}"#, Self.list),
      (#"{"crashDiagnostic": {"_0": {"callStackTree": TREE, \#(facts)}}}"#, Self.list),
      (#"{"type": "crash", "callStackTree": TREE, \#(facts)}"#, Self.dictionary),
    ] {
      let report = try #require(try reports(result, table: table).first)
      #expect(report.format.description == "metrickit" && report.kind == .crash)
      #expect(report.reason.type == "EXC_BAD_ACCESS" && report.reason.signal == "SIGSEGV")
      #expect(report.app.identifier == "shop.tern.till" && report.app.build == "117")
      #expect(report.app.version == "1.1.0" && report.os.version == "27.0")
      #expect(report.device.model == "iPhone15,2" && report.process.pid == 2551)
      #expect(report.time == Timestamp(seconds: 1_779_307_240))
      #expect(report.crashedThread == 1 && report.threads[1].frames.count == 2)
      #expect(report.threads[1].frames[0].imageOffset == ImageOffset(16576))
      #expect(report.images.map(\.name) == ["???", "Tern"])
    }
  }

  @Test("Out of memory has a stack")
  func memory() throws {
    let report = try #require(
      try reports(#"{"memoryException": {"_0": {"callStackTree": TREE}}}"#).first)
    #expect(report.kind == .oom && report.reason.code == "MEMORY" && report.crashedThread == 1)
  }

  @Test("Several reports in a list, and an object that is not one")
  func others() throws {
    let tree = Self.tree.replacing("TABLE", with: Self.dictionary)
    let text = """
      {"diagnosticReports": [{"environment": \(Self.environment), "result": {"hang": {"_0":
       {"callStackTree": \(tree), "hangDuration": "4 s"}}}}, {"result": 1}]}
      """
    let reports = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    #expect(reports.map(\.kind) == [.hang])
    #expect(throws: ParseError.self) {
      try FormatRegistry.builtIn.reports(
        in: ByteView(#"{"environment": {}, "result": {"crash": {"_0": {"a": 1}}}}"#.utf8))
    }
  }
}
