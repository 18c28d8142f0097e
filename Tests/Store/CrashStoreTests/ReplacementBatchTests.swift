import Bytes
import CrashModel
import Database
import ReportDocument
import TestSupport
import Testing

@testable import CrashStore

/// Reports whose state is replaced together.
@Suite("Batches of reprocessed reports") struct ReplacementBatchTests {
  /// A store in which all reports are to be reprocessed, with the reports by their ids.
  private static func store(
    _ folder: ScratchFolder, _ count: Int
  ) throws -> (store: CrashStore, reports: [(id: String, report: CrashReport)]) {
    let store = try StoringBatchTests.store(folder)
    let receipts = try store.reports.add(StoringBatchTests.prepared(0..<count))
    try store.write(.global) {
      try $0.run("INSERT INTO redo (app, report) SELECT app, id FROM reports")
    }
    let ids = receipts.flatMap(\.reports).map(\.report)
    return (store, ids.enumerated().map { ($1, StoringBatchTests.report($0)) })
  }

  /// How many statements it takes to replace all reports at once.
  private func statements(
    _ count: Int, _ change: (inout CrashReport) -> Void
  ) throws -> Int {
    let folder = ScratchFolder()
    let (store, reports) = try Self.store(folder, count)
    let replacements = try reports.map { id, report in
      var report = report
      change(&report)
      return ReprocessingResult.replaced(
        try PreparedReplacement(
          of: id, received: StoreFixture.start, by: report,
          document: ByteView(report.document(id: id, received: StoreFixture.start)),
          arrivals: store.debugFiles.arrivals()))
    }
    let statements = try StoringBatchTests.statements(store) {
      let replaced = try store.reports.replace(replacements)
      #expect(replaced == count)
    }
    #expect(try store.reports.waitingCount() == 0)
    while try store.groups.settle() {}
    try StoreFixture.check(store)
    #expect(try store.groups.list().items.count == 20)
    return statements
  }

  @Test("Reports that keep their stacks take the same few statements, however many they are")
  func sameStacks() throws {
    let change = { (report: inout CrashReport) in report.reason.message = "now it is known" }
    let few = try statements(40, change)
    let many = try statements(400, change)

    #expect(few < 60)
    #expect(many < few + 10)
  }

  @Test("Reports with new keys take statements for each key, and none for each report")
  func newKeys() throws {
    let change = { (report: inout CrashReport) in
      let key = report.signature?.key ?? ""
      report.signature?.key = "named " + key
      report.signature?.steps[0].result += "()"
    }
    let few = try statements(40, change)
    let many = try statements(400, change)

    #expect(few < 1_500)
    #expect(many < few + 100)
  }
}
