import Bytes
import CrashModel
import Glibc
import Grouping
import Identifiers
import ObjectFormats
import Pipeline
import ReportDocument
import SymbolCache
import SymbolSources
import Symbolication
import TestSupport
import Testing

@testable import ProgramSupport

/// Every sample and every debug file, truncated and mutated, through the whole pipeline in this process: a
/// trap ends the test run, a hang is detected by its duration.
///
/// Each message contains the seed.
@Suite("Truncated and mutated input", .serialized)
struct HostileSweepTests {
  private static let seed = 20_260_601 &+ TestSize.seed
  private static let rounds = TestSize.of(small: 1, all: 20)
  /// The time limit for inputs of these sizes, even in a debug build on a busy machine.
  private static let patience = 30.0

  private static let symbols = DebugFileScanner(program: BuiltProgram.mayday)
    .scan([Samples.symbols]).files

  private static let samples = Samples.all.map(Samples.path)
  private static let debugFiles = Samples.allSymbols.filter { path in
    !path.hasSuffix(".jsonl") && !path.hasSuffix(".tsv") && !path.hasPrefix("recipes/")
  }.map(Samples.debugFile)

  @Test("Samples", arguments: 0..<8)
  func reports(part: Int) throws {
    let processor = ReportProcessor(
      symbolicator: Symbolicator(
        sources: [DebugFileIndex(Self.symbols)], pool: SymbolCachePool()),
      signer: Signer(rules: .standard), scrubber: nil)
    var mutator = Mutator(seed: Self.seed + UInt64(part))
    let mine = Self.samples.enumerated().filter { $0.offset % 8 == part }.map(\.element)
    for path in mine {
      let bytes = try ByteView(reading: path, limit: 1 << 24).array
      guard !bytes.isEmpty else { continue }
      func process(_ changed: [UInt8], _ what: String) {
        let time = seconds {
          guard let reports = try? processor.process(ByteView(changed)) else { return }
          for processed in reports {
            #expect(processed.report.signature != nil)
            let document = processed.report.document(id: "0", received: nil)
            #expect(throws: Never.self) { try StoredReport(document: ByteView(document)) }
          }
        }
        #expect(time < Self.patience, "\(path), \(what), seed \(Self.seed), part \(part)")
      }
      let cuts = 2 * Self.rounds
      for _ in 0..<cuts { process(Array(bytes.prefix(mutator.random.below(bytes.count))), "cut") }
      for _ in 0..<3 * Self.rounds { process(mutator.mutated(bytes), "changed") }
    }
  }

  @Test("Debug files", arguments: 0..<8)
  func objects(part: Int) throws {
    var random = SplitMix(seed: Self.seed + UInt64(part))
    let mine = Self.debugFiles.enumerated().filter { $0.offset % 8 == part }.map(\.element)
    for path in mine {
      let bytes = try ByteView(reading: path, limit: 1 << 26).array
      guard !bytes.isEmpty else { continue }
      // Large files are tested less often.
      let count = max(Int(Double(2 * Self.rounds) * min(1, 100_000 / Double(bytes.count))), 1)
      var copies = Mutator.binary(bytes, count: count, seed: random.next())
      for _ in 0..<count {
        copies.append(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))))
      }
      for copy in copies {
        let time = seconds { Self.compile(ByteView(copy), path, &random) }
        #expect(time < Self.patience, "\(path), seed \(Self.seed), part \(part)")
      }
    }
  }

  private static func compile(_ bytes: ByteView, _ path: String, _ random: inout SplitMix) {
    for file in DebugFileScanner().scan(bytes, named: path).files {
      guard let compiled = try? SymbolCache.compile(file.object) else { continue }
      #expect(throws: Never.self) {
        let cache = try SymbolCache(opening: compiled)
        try cache.verify()
        lookUp(cache, &random)
        // The mutated cache: its index may be refused, but one that opens is searched.
        for damaged in Mutator.binary(compiled.array, count: 2, seed: random.next()) {
          if let cache = try? SymbolCache(opening: ByteView(damaged), checksSum: false) {
            lookUp(cache, &random)
          }
        }
      }
    }
  }

  private static func lookUp(_ cache: SymbolCache, _ random: inout SplitMix) {
    var frames: [SourceFrame] = []
    for _ in 0..<200 {
      let limit: UInt64 = random.next() % 4 == 0 ? 1 << 33 : 1 << 16
      cache.lookUp(ImageOffset(random.next() % limit), into: &frames)
    }
  }
}
