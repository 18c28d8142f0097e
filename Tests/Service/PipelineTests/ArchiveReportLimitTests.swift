import Archives
import Bytes
import CrashInput
import CrashStore
import Identifiers
import Pipeline
import TestSupport
import Testing

@Suite("Limits on reports of an archive") struct ArchiveReportLimitTests {
  private let folder = ScratchFolder()
  private static let received = Timestamp(seconds: 1_790_000_000)

  init() { UnpackProgram.path = BuiltProgram.mayday }

  private func log(_ count: Int, _ function: String) -> ByteView {
    ByteView(
      Array(
        String(repeating: "WARNING: CPU: 0 PID: 1 at a.c:1 \(function)+0x1/0x2\n", count: count)
          .utf8))
  }

  /// An archive of three logs with 40 reports each, of which 50 are read.
  private func walker(_ name: String) throws -> InputWalker {
    var writer = try ArchiveWriter(creating: folder.path(name), format: .zip)
    for file in ["a", "b", "c"] { try writer.add("\(file).log", log(40, file), modified: 0) }
    try writer.finish()
    var limits = InputLimits.standard
    limits.archiveReports = 50
    limits.bytesPerReport = .max
    return InputWalker(limits: limits)
  }

  @Test("`triage` shows the first of them, and names the limit of the others")
  func triage() throws {
    let walker = try walker("logs.zip")
    let result = try Triage(processor: Samples.processor()).run([folder.path], walker: walker)
    #expect(result.reports == 50)
    #expect(result.refused.count == 2)
    #expect(
      result.refused.allSatisfy {
        $0.reason.hasPrefix("limit of 50 reports of an archive of ") && $0.kind == .unreadable
      })
  }

  @Test("`ingest` stores the first of them, and no others when it is repeated")
  func ingest() throws {
    let walker = try walker("logs.zip")
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let ingest = Ingest(into: store, processor: Samples.processor(), app: "Tern")
    let first = try ingest.run([folder.path], walker: walker, received: Self.received)
    #expect(first.reports == 50)
    let again = try ingest.run(
      [folder.path], walker: walker, received: Timestamp(seconds: 1_790_000_100))
    #expect(again.reports == 0 && again.files.duplicates == 2)
    #expect(try store.reports.totals().reports == 50)
    let ledger = try store.ledger.get(app: "Tern")
    #expect(ledger.faults.isEmpty)
  }

  @Test("Two archives, and logs in none, have their own limits")
  func others() throws {
    let walker = try walker("logs.zip")
    _ = try self.walker("more.zip")
    folder.write("plain.log", log(90, "d").array)
    let result = try Triage(processor: Samples.processor()).run([folder.path], walker: walker)
    // The second archive has the same files, and what is read of it does not depend on the first.
    #expect(result.reports == 50 + 90)
    #expect(result.files.duplicates == 2 && result.files.withReports == 3)
  }
}
