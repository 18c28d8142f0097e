import Batches
import Bytes
import CrashModel
import Crypto
import Grouping
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashInput
@testable import Pipeline

/// The parts of a triage, made apart in any way, are the triage.
@Suite("Partitions of a triage") struct BatchMergeTests {
  private let folder = ScratchFolder()

  /// Files that stay together: one, or the members of an archive.
  typealias Unit = [TriagedFile]

  private static let samples: [ProcessedReport] = {
    let processor = Samples.processor()
    return Samples.all.flatMap { name -> [ProcessedReport] in
      guard let bytes = try? Samples.view(name) else { return [] }
      return (try? processor.process(bytes).map(\.withoutMemory)) ?? []
    }
  }()

  private static let head = BatchHead(
    engine: "test", rules: "r", app: nil, symbols: "s", largestReport: nil, inputs: ["dumps"],
    refusedSymbols: [])

  /// A sample of another release, installation and time. The debug files of some images are missing, as if they came
  /// later.
  private static func report(_ random: inout SplitMix, _ signer: Signer) -> ProcessedReport {
    let sample = random.pick(samples)
    var report = sample.report
    report.app.version = "1.\(random.below(4)).0"
    report.install = random.below(3) == 0 ? nil : "device \(random.below(40))"
    report.time = random.below(4) == 0 ? nil : Timestamp(seconds: Int64(random.below(50)))
    if random.below(3) == 0, !report.images.isEmpty {
      let lost = random.below(report.images.count)
      report.images[lost].symbols = SymbolStatus(.missing)
      for thread in report.threads.indices {
        for frame in report.threads[thread].frames.indices
        where report.threads[thread].frames[frame].image == lost {
          report.threads[thread].frames[frame].function = nil
          report.threads[thread].frames[frame].file = nil
        }
      }
    }
    report.signature = signer.signature(of: report, app: sample.app)
    return ProcessedReport(app: sample.app, report: report)
  }

  private static func units(count: Int, seed: UInt64) -> [Unit] {
    var random = SplitMix(seed: seed)
    let signer = Signer(rules: .standard)
    var units: [Unit] = []
    var digests: [(digest: [UInt8], reports: [ProcessedReport])] = []
    var done = 0
    while done < count {
      let ordinal = units.count
      let name = "dumps/\(random.below(40))/\(ordinal)"
      func file(_ path: String, isMember: Bool = false) -> InputFile {
        InputFile(
          path: path, content: .success(ByteView([])), ordinal: ordinal, isMember: isMember,
          archive: isMember ? .init(bytes: 1, mostReports: 6) : nil)
      }
      func fresh() -> ([UInt8], [ProcessedReport]) {
        let reports = (0..<(1 + random.below(3))).map { _ in report(&random, signer) }
        done += reports.count
        let digest = SHA256.digest(of: ByteView(Array("\(seed) \(done)".utf8)))
        digests.append((digest, reports))
        return (digest, reports)
      }
      switch random.below(10) {
      case 0:
        let reason = TriagedFile.Reason(
          text: "no report", kind: random.pick([.foreign, .unreadable]))
        units.append([TriagedFile(file(name), .failure(reason))])
      case 1 where !digests.isEmpty:
        let known = random.pick(digests)
        units.append([TriagedFile(file(name), .success(known.reports), digest: known.digest)])
      case 2:
        units.append(
          (0..<4).map { _ in
            let (digest, reports) =
              random.below(4) == 0 && !digests.isEmpty
              ? random.pick(digests) : fresh()
            let path = "\(name)!\(random.below(2))"
            return TriagedFile(file(path, isMember: true), .success(reports), digest: digest)
          })
      default:
        let (digest, reports) = fresh()
        units.append([TriagedFile(file(name), .success(reports), digest: digest)])
      }
    }
    return units
  }

  /// - Parameter size: The bytes of memory after which facts are put into a file.
  private func parts(_ units: some Sequence<Unit>, spillingAt size: Int) throws -> [BatchPart] {
    var spill = BatchSpill()
    spill.bytes = size
    spill.folder = folder.path("")
    var builder = BatchBuilder(head: Self.head, spill: spill)
    // A file that comes again is found again.
    for (ordinal, unit) in units.enumerated() {
      for var file in unit {
        file.ordinal = ordinal
        try builder.add(file)
      }
    }
    return try builder.finish()
  }

  private func merge(_ parts: [BatchPart]) throws -> BatchPart {
    try .file(BatchFile(opening: ByteView(bytes(parts)), named: "part.mdp"))
  }

  private func bytes(_ parts: [BatchPart]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try BatchMerge(parts, in: folder.path("")).write { bytes += $0.array }
    return bytes
  }

  @Test("Any partition, order, repetition and tree of merges gives the same bytes")
  func partitions() throws {
    let units = Self.units(count: TestSize.of(small: 600, all: 5_000), seed: TestSize.seed)
    let whole = try parts(units, spillingAt: .max)
    #expect(whole.count == 1)
    let expected = try bytes(whole)
    let result = try TriageResult(whole[0])
    #expect(result.groups.count > 50 && result.files.duplicates > 0 && result.missing.count > 10)
    #expect(result.groups.reduce(0) { $0 + $1.summary.reports } == result.reports)
    let document = Self.document(result)
    for number in 0..<TestSize.of(small: 6, all: 200) {
      var random = SplitMix(seed: TestSize.seed &+ UInt64(number))
      let count = 1 + random.below(8)
      var shares = [[Unit]](repeating: [], count: count)
      for unit in units {
        shares[random.below(count)].append(unit)
        if random.below(10) == 0 { shares[random.below(count)].append(unit) }
      }
      var parts = try shares.flatMap {
        // From a file for each unit to none.
        try self.parts(
          $0.shuffled(using: &random), spillingAt: random.pick([1, 100_000, 3_000_000, .max]))
      }
      for _ in 0..<random.below(3) { parts.append(random.pick(parts)) }
      parts.shuffle(using: &random)
      while parts.count > 1 {
        let several = 1 + random.below(parts.count)
        let merged = try merge(Array(parts.prefix(several)))
        parts = [merged] + parts.dropFirst(several)
        parts.shuffle(using: &random)
        if several == 1, random.below(3) == 0 { break }
      }
      let comment: Comment = "seed \(TestSize.seed), partition \(number)"
      #expect(try bytes(parts) == expected, comment)
      let merged = try TriageResult(BatchMerge.part(of: parts, in: folder.path("")))
      #expect(Self.document(merged) == document, comment)
      try merged.check()
    }
    #expect(try folder.names() == [])
  }

  /// What is known of groups and their reports, in their order.
  private static func document(_ result: TriageResult) -> [String] {
    result.groups.map { group in
      "\(group.summary) \(group.keys) \(group.alternativeKeys) \(group.exemplar.threads.count) "
        + group.reports.map { "\($0.id) \($0.source)" }.joined(separator: ",")
    } + result.missing.map { "\($0)" } + result.refused.map { "\($0)" } + ["\(result.files)"]
  }

  @Test("A part that cannot be read when it is printed is an error, and not an empty group")
  func lostPart() throws {
    let units = Self.units(count: 40, seed: TestSize.seed)
    let path = folder.path("part.mdp")
    try BatchMerge(parts(units, spillingAt: .max), in: folder.path("")).write(to: path)
    let result = try TriageResult(.file(BatchFile(at: path)))
    try result.check()
    _ = folder.write("part.mdp", [UInt8](repeating: 0, count: 20_000))
    #expect(result.groups.reduce(0) { $0 + $1.reports.map(\.id).count } == 0)
    #expect(throws: (any Error).self) { try result.check() }
  }
}
