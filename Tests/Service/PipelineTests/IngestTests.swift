import Archives
import Bytes
import CrashInput
import CrashModel
import CrashStore
import Identifiers
import Pipeline
import TestSupport
import Testing
import TriageModel

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
    let triage = try Triage(processor: Samples.processor()).run([Self.folder])
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

  @Test(
    "Each file has one result, in order, whether it waits for others or not", arguments: [1, 4096])
  func results(part: Int) throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let report = try ByteView(Samples.bytes(Samples.all(in: "apple-ips")[0]))
    let foreign = ByteView("no report".utf8)
    let log = Companion(of: "a.ips", called: Array("log".utf8), isAttachment: true)
    let early = Companion(of: "b.ips", called: Array("log".utf8), isAttachment: true)
    let lost = Companion(of: "never.ips", called: Array("log".utf8), isAttachment: true)
    let files: [(path: String, bytes: ByteView, companion: Companion?)] = [
      ("first.txt", foreign, nil), ("early.log", foreign, early), ("a.ips", report, nil),
      ("second.txt", foreign, nil), ("a.log", foreign, log), ("lost.log", foreign, lost),
      ("b.ips", report, nil),
    ]
    let ingest = Ingest(
      into: store, processor: Samples.processor(app: "Tern"), app: "Tern", width: 2, part: part)
    for isFirst in [true, false] {
      var results: [FileResult] = []
      let received = Timestamp(seconds: Self.received.seconds + (isFirst ? 0 : 60))
      let result = try ingest.run(received: received, onResult: { results.append($0) }) { bring in
        for (ordinal, file) in files.enumerated() {
          _ = bring(
            InputFile(
              path: file.path, content: .success(file.bytes), ordinal: ordinal,
              companion: file.companion))
        }
      }
      // An attachment follows its report, or comes at the end.
      #expect(results.map(\.ordinal) == [0, 2, 3, 4, 6, 1, 5])
      #expect(results.map(\.source) == results.map { files[$0.ordinal].path })
      #expect(results.map(\.outcome).filter { $0 == .attached }.count == 2)
      #expect(results.flatMap(\.refusals).count == 3 && result.refused.count == 3)
      #expect(results.flatMap(\.stored).map(\.app) == ["Tern", "Tern"])
      #expect(results.reduce(0) { $0 + $1.reportCount } == 2)
      #expect(results[1].isNew == isFirst)
    }
  }

  /// Ingests copies of a sample, each with other bytes at its end.
  ///
  /// - Returns: The number of reports of each batch.
  private func batches(
    of sample: String, count: Int, padding: (Int) -> [UInt8]
  ) throws -> [Int] {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let bytes = try Samples.bytes(sample)
    var batches: [Int] = []
    let result = try Ingest(into: store, processor: Samples.processor(app: "Tern"), app: "Tern")
      .run(received: Self.received, storing: { reports, _ in batches.append(reports) }) { bring in
        for ordinal in 0..<count {
          let content = ByteView(bytes + padding(ordinal))
          _ = bring(InputFile(path: "\(ordinal)", content: .success(content), ordinal: ordinal))
        }
      }
    #expect(result.reports == count && result.refused.isEmpty)
    return batches
  }

  @Test("A batch ends at 512 reports, or at 12 MiB of memory")
  func batchLimits() throws {
    let text = Samples.all(in: "python-traceback")[0]
    let reports = try batches(of: text, count: 520) { [UInt8](repeating: 10, count: $0) }
    #expect(reports == [512, 8])
    // What cannot be compressed.
    var random = SplitMix(seed: 5)
    let noise = (0..<(3 << 20)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let dump = Samples.all(in: "minidump")[0]
    #expect(try batches(of: dump, count: 10) { noise + [UInt8($0)] } == [4, 4, 2])
  }
}
