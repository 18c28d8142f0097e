import CrashModel
import Identifiers
import Pipeline
import ReportFormats
import TestSupport
import Testing

/// Each sample at each stage, as readable files in `Golden/`: the reader's result (`parsed.txt`), facts added
/// by debug files (`symbolicated.txt`), grouping and its reasons (`signed.txt`).
@Suite("Samples at each stage") struct GoldenSampleTests {
  private static let golden = GoldenFolder()
  private static let stages = ["parsed.txt", "symbolicated.txt", "signed.txt"]

  @Test("Every sample equals its golden files", arguments: Samples.all)
  func stages(sample: String) throws {
    let reports = try FormatRegistry.builtIn.reports(in: Samples.view(sample))
    try #require(!reports.isEmpty)
    var parsed = StagePrinter()
    var symbolicated = StagePrinter()
    var signed = StagePrinter()
    for (index, report) in reports.enumerated() {
      if reports.count > 1 {
        let title = "\(index == 0 ? "" : "\n")== report \(index + 1) of \(reports.count)\n"
        parsed.lines.append(title)
        symbolicated.lines.append(title)
        signed.lines.append(title)
      }
      parsed.printParsed(report)
      let processed = try Samples.standardProcessor.process(report)
      symbolicated.printSymbolicated(processed.report, since: report)
      signed.printSigned(processed.report, app: processed.app)
    }
    for (stage, printer) in zip(Self.stages, [parsed, symbolicated, signed]) {
      #expect(Self.golden.difference(of: printer.text, from: "\(sample)/\(stage)") == nil)
    }
  }

  @Test(
    "No golden file of a deleted sample is left",
    .enabled(if: !GoldenFolder.isRenewing, "the golden files are being renewed"))
  func leftOver() throws {
    let expected = Samples.all.flatMap { sample in Self.stages.map { "\(sample)/\($0)" } }
    // Another test keeps its files there, too.
    let found = try FolderListing.files(below: Self.golden.path).filter {
      !$0.hasPrefix("\(ReportPlanTests.folder)/")
    }
    #expect(found.filter { !expected.contains($0) } == [])
    #expect(expected.filter { !found.contains($0) } == [])
  }

  @Test("The printer shows every member of a report")
  func members() {
    var random = RandomReport(seed: 1)
    let report = random.next()
    func names(_ value: Any) -> [String] { Mirror(reflecting: value).children.compactMap(\.label) }
    // A new member fails here until the printer shows it and it is added.
    #expect(
      names(report) == [
        "format", "kind", "incident", "app", "time", "install", "user", "os", "device", "process",
        "reason", "crashedThread", "threads", "images", "unloadedImages", "otherStacks",
        "attachments",
        "breadcrumbs", "tags", "properties", "notes", "signature", "memory", "dump", "engine",
      ])
    #expect(
      names(CrashThread(index: 0)) == [
        "index", "id", "name", "crashed", "registers", "lastError", "frames",
      ])
    #expect(
      names(Frame(position: .exact)) == [
        "address", "position", "image", "imageOffset", "function", "symbol", "symbolOffset",
        "symbolSize", "file", "line", "column", "source", "inlined", "inApp", "trust", "registers",
      ])
    #expect(
      names(LoadedImage(name: "")) == [
        "name", "path", "architecture", "debugID", "codeID", "debugFile", "base", "size", "version",
        "package", "release", "symbols",
      ])
    #expect(
      names(ImagePackage(name: "")) == [
        "type", "name", "version", "architecture", "os", "osCPE", "debugInfoURL",
      ])
    #expect(
      names(CrashReason()) == [
        "type", "signal", "code", "address", "message", "exception", "fault",
      ])
    #expect(
      names(Fault(summary: "")) == [
        "summary", "kind", "address", "instruction", "accesses", "bitFlips",
      ])
    #expect(
      names(Fault.Access(.read, at: Address(0))) == [
        "kind", "address", "size", "operand", "isGuardPage",
      ])
    #expect(
      names(Fault.BitFlip(address: Address(0), confidence: 0)) == [
        "address", "register", "confidence", "wasNonCanonical", "isNull", "wasLow",
        "nearbyRegisters", "hasPoison",
      ])
    #expect(
      names(Signature(text: "", key: "", category: .signal, rules: "")) == [
        "text", "key", "alternativeKeys", "category", "rules", "isProvisional", "waitsFor", "steps",
      ])
    #expect(
      names(SignatureStep(subject: "", result: "", rule: "")) == [
        "frame", "subject", "result", "frameClass", "rule", "used", "leftOut",
      ])
  }
}
