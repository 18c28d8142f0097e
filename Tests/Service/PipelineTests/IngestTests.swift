import Archives
import CrashModel
import CrashStore
import Pipeline
import TestSupport
import Testing

@Suite struct IngestTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  private static let folder = Samples.path("apple-ips")

  private func ingest(into store: CrashStore, width: Int = 2) throws -> IngestResult {
    try Ingest(into: store, processor: Samples.processor(), width: width)
      .run([Self.folder], received: Self.received)
  }

  @Test("A store has the groups and counts that a triage prints")
  func likeTriage() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let result = try ingest(into: store)
    let triage = Triage(processor: Samples.processor()).run([Self.folder])
    #expect(result.reports == triage.reports && triage.reports > 30)
    let stored = try store.groups.list().map { "\($0.signature.text): \($0.reports)" }.sorted()
    let printed = triage.groups.map { "\($0.summary.signature.text): \($0.summary.reports)" }
    #expect(stored == printed.sorted())
    #expect(try store.reports.totals().reports == triage.reports)
  }

  @Test("The same bytes count once, in one run and in the next")
  func twice() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let first = try ingest(into: store)
    let groups = try store.groups.list()
    let again = try ingest(into: store)
    #expect(again.reports == 0 && again.files.duplicates == first.files.total)
    #expect(try store.groups.list() == groups)
  }

  @Test("Trap 63: the number of workers changes nothing")
  func threads() throws {
    var pictures: [[GroupSummary]] = []
    for width in [1, 8] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      _ = try ingest(into: store, width: width)
      pictures.append(try store.groups.list().items)
    }
    #expect(pictures[0] == pictures[1])
  }

  @Test("A file that is not a report is counted once with its reason")
  func refusals() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let ingest = Ingest(into: store, processor: Samples.processor())
    for _ in 0..<2 {
      let result = try ingest.run(
        [Samples.path("README.md")], received: Self.received)
      #expect(result.reports == 0 && result.refused.count == 1)
    }
    #expect(try store.ledger.refusals().map(\.files) == [1])
    #expect(try store.groups.list().isEmpty)
  }
}
