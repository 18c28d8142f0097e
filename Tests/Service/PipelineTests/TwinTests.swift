import Archives
import Batches
import Bytes
import CrashInput
import CrashModel
import CrashStore
import Crypto
import Grouping
import Identifiers
import ReportFormats
import SymbolSources
import Symbolication
import TestSupport
import Testing
import TriageModel

@testable import Pipeline

/// One incident or one folder in two formats: the groups must be equal, and look the same.
@Suite("Twins") struct TwinTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  private static let folders = [
    "apple-ips", "apple-crash", "sanitizer", "swift-backtrace", "appcenter",
  ].map { Samples.path($0) }

  /// A group as a list shows it, except for its number.
  private struct Picture: Hashable, Comparable {
    let app: String
    let title: String
    let key: String
    let category: String
    let kind: ReportKind
    let exemplar: String
    let reason: String?
    let versions: [VersionCount]
    let installs: Int?
    let members: [String]

    init(_ group: GroupSummary, members: [String]) {
      app = group.app
      title = group.signature.text
      key = group.signature.key
      category = group.signature.category.rawValue
      kind = group.kind
      exemplar = group.exemplar
      reason = group.reason
      versions = group.versions
      installs = group.installs
      self.members = members.sorted()
      #expect(group.reports == members.count)
    }

    static func < (left: Picture, right: Picture) -> Bool { left.members[0] < right.members[0] }
  }

  /// The files of the samples, each processed once.
  private static let samples: [(path: String, digest: [UInt8], reports: [ProcessedReport])] = {
    let processor = Samples.processor()
    var samples: [(path: String, digest: [UInt8], reports: [ProcessedReport])] = []
    InputWalker().walk(folders) { file in
      guard let bytes = try? file.content.get(), let reports = try? processor.process(bytes) else {
        Issue.record("\(file.path) is not read")
        return .next
      }
      samples.append((file.path, SHA256.digest(of: bytes), reports))
      return .next
    }
    return samples
  }()

  private static let expected = Result { try groups(of: samples) }

  private static func groups(
    of samples: [(path: String, digest: [UInt8], reports: [ProcessedReport])]
  ) throws -> (pictures: [Picture], order: [String]) {
    let head = BatchHead(
      engine: "", rules: "", app: nil, symbols: "", largestReport: nil, inputs: [],
      refusedSymbols: [])
    var builder = BatchBuilder(head: head)
    for (ordinal, sample) in samples.enumerated() {
      let file = InputFile(path: sample.path, content: .success(ByteView([])), ordinal: ordinal)
      try builder.add(TriagedFile(file, .success(sample.reports), digest: sample.digest))
    }
    let result = try TriageResult(builder.finish()[0])
    return (pictures(of: result), result.groups.map(\.summary.exemplar))
  }

  private static func pictures(of store: CrashStore) throws -> [Picture] {
    let reports = Dictionary(grouping: try store.reports.list().items) { $0.group }
    return try store.groups.list().items.map { group in
      Picture(group, members: reports[group.id, default: []].map { $0.id })
    }.sorted()
  }

  private static func pictures(of triage: TriageResult) -> [Picture] {
    triage.groups.map { Picture($0.summary, members: $0.reports.map(\.id)) }.sorted()
  }

  private static func differences(_ one: [Picture], _ other: [Picture]) -> [String] {
    Set(one).symmetricDifference(Set(other)).sorted().map {
      "\($0.title) \($0.exemplar.prefix(6)) \($0.category) \($0.kind) \($0.reason ?? "-") \($0.versions)"
        + " \($0.installs ?? 0) \($0.members.map { $0.prefix(6) })"
    }
  }

  @Test("In whatever order they are read, a triage shows the same groups", arguments: 0..<8)
  func triage(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let expected = try Self.expected.get()
    #expect(expected.pictures.count > 30)
    let shuffled = try Self.groups(of: Self.samples.shuffled(using: &random))
    #expect(Self.differences(shuffled.pictures, expected.pictures) == [])
    #expect(shuffled.order == expected.order)
  }

  @Test("In whatever order they are stored, a store shows the groups of a triage", arguments: 0..<2)
  func store(seed: UInt64) throws {
    var random = SplitMix(seed: 100 + seed)
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    _ = try Ingest(into: store, processor: Samples.processor())
      .run(Self.samples.map(\.path).shuffled(using: &random), received: Self.received)
    #expect(try Self.differences(Self.pictures(of: store), Self.expected.get().pictures) == [])
  }

  @Test("A folder and an archive of it give the same groups")
  func archive() throws {
    UnpackProgram.path = BuiltProgram.mayday
    let home = ScratchFolder()
    var zip = ZipBuilder()
    for sample in Self.samples.reversed() {
      let bytes = try ByteView(reading: sample.path, limit: 1 << 24)
      zip.add(Array(sample.path.drop { $0 == "/" }.utf8), bytes.array)
    }
    let path = home.write("samples.zip", zip.bytes)
    let triage = Triage(processor: Samples.processor())
    let (folder, archive) = try (triage.run(Self.folders), triage.run([path]))
    #expect(archive.reports == folder.reports && folder.reports > 200)
    #expect(Self.differences(Self.pictures(of: folder), Self.pictures(of: archive)) == [])
  }

  @Test("An incident as text and as JSON has one signature, with the same alternative keys")
  func forms() throws {
    var signatures: [String: [Signature]] = [:]
    for sample in Self.samples where sample.path.contains("/apple-") {
      let name = sample.path.split(separator: "/").last.map { $0.split(separator: ".") } ?? []
      let incident = name.dropLast().joined(separator: ".")
      signatures[incident, default: []] += sample.reports.compactMap { $0.report.signature }
    }
    let pairs = signatures.values.filter { $0.count > 1 }
    #expect(pairs.count > 10)
    for pair in pairs {
      #expect(Set(pair.map(\.key)).count == 1, "\(pair.map(\.text))")
      #expect(Set(pair.map { $0.alternativeKeys }).count == 1, "\(pair.map(\.text))")
      #expect(Set(pair.map(\.category)).count == 1, "\(pair.map(\.text))")
    }
  }

  @Test("The order of a report's threads does not matter", arguments: 0..<4)
  func threads(seed: UInt64) throws {
    var random = SplitMix(seed: 200 + seed)
    var shuffled = 0
    for sample in Self.samples {
      for processed in sample.reports where processed.report.threads.count > 1 {
        var report = processed.report
        let order = report.threads.indices.shuffled(using: &random)
        report.threads = order.map { processed.report.threads[$0] }
        report.crashedThread = report.crashedThread.flatMap { order.firstIndex(of: $0) }
        if let holder = report.tags[.lockHolder].flatMap({ Int($0) }) {
          report.tags[.lockHolder] = order.firstIndex(of: holder).map(String.init)
        }
        // Signed without the marks from the first signature.
        for thread in report.threads.indices {
          for frame in report.threads[thread].frames.indices {
            report.threads[thread].frames[frame].inApp = nil
          }
        }
        var plain = processed.report
        for thread in plain.threads.indices {
          for frame in plain.threads[thread].frames.indices {
            plain.threads[thread].frames[frame].inApp = nil
          }
        }
        let signer = Signer(rules: .standard)
        let (one, other) = (
          signer.signature(of: plain, app: processed.app),
          signer.signature(of: report, app: processed.app)
        )
        #expect(one.text == other.text && one.key == other.key, "\(sample.path)")
        #expect(one.alternativeKeys == other.alternativeKeys, "\(sample.path)")
        shuffled += 1
      }
    }
    #expect(shuffled > 50)
  }

  @Test("The order in which a text lists its threads does not matter", arguments: 0..<4)
  func listedThreads(seed: UInt64) throws {
    var random = SplitMix(seed: 300 + seed)
    let processor = Samples.processor()
    var shuffled = 0
    for sample in Self.samples where sample.path.hasSuffix(".crash") {
      let text = try ByteView(reading: sample.path, limit: 1 << 24).text
      var parts = text.split(separator: "\n\n", omittingEmptySubsequences: false)
      let places = parts.indices.filter { index in
        let line = parts[index].split(separator: "\n").first ?? ""
        return line.hasPrefix("Thread ") && !line.contains("crashed with")
      }
      guard places.count > 1 else { continue }
      for (place, other) in zip(places, places.shuffled(using: &random)) {
        parts[place] = text.split(separator: "\n\n", omittingEmptySubsequences: false)[other]
      }
      let reports = try processor.process(ByteView(parts.joined(separator: "\n\n").utf8))
      #expect(
        reports.map { $0.report.signature?.key } == sample.reports.map { $0.report.signature?.key },
        "\(sample.path)")
      shuffled += 1
    }
    #expect(shuffled > 10)
  }

  @Test(
    "Debug files that come after all reports give the groups that they give when they are first")
  func late() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let processor = ReportProcessor(
      symbolicator: Symbolicator(
        sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches)),
      signer: Signer(rules: .standard), scrubber: .standard)
    _ = try Ingest(into: store, processor: processor)
      .run(Self.samples.map(\.path).reversed(), received: Self.received)
    #expect(try Self.differences(Self.pictures(of: store), Self.expected.get().pictures).count > 20)
    try Self.addDebugFiles(to: store)
    try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
    #expect(try store.reports.waitingCount() == 0)
    #expect(try Self.differences(Self.pictures(of: store), Self.expected.get().pictures) == [])
  }

  private static let debugFiles = DebugFileScanner().scan(
    ["tern", "gcc", "dumps", "cores", "desk", "apple", "whole"].map(Samples.debugFile)
  ).files

  private static func addDebugFiles(to store: CrashStore) throws {
    for file in Self.debugFiles {
      try store.add(file)
    }
  }
}
