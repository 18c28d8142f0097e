internal import Bytes
internal import Compression
internal import CrashInput
internal import CrashStore
internal import Glibc
internal import Grouping
internal import Identifiers
internal import Pipeline
internal import Scrubbing
internal import Symbolication

/// Fills a home with made-up reports, in the way of `mayday ingest`, and prints how fast.
enum HomeBench {
  /// Number of parts for which the rate is printed.
  private static let parts = 10
  /// Number of reports in a part of a lean home, and the most that a stopped run goes back.
  private static let leanPart = 1_000_000
  private static let leanStep = 100_000
  /// Bytes of pages kept in memory while a lean home is filled: it is made for queries, and filling it would
  /// otherwise wait for the disk at every step.
  private static let leanCache = 6 << 30

  /// - Parameters:
  ///   - home: The home folder; existing reports stay, so that a stopped run continues.
  ///   - count: Number of reports in the end.
  ///   - isLean: Whether the documents of each part are deleted when the next one begins. They are most of a
  ///     home's size, and no list reads them.
  static func run(home: String, count: Int, isLean: Bool) throws {
    guard isLean else {
      let parts = (0..<parts).map { part -> Range<Int> in
        let (start, end) = (count * part / Self.parts, count * (part + 1) / Self.parts)
        return start..<end
      }
      return try run(into: CrashStore(opening: home), of: count, parts: parts)
    }
    var next = try CrashStore(opening: home).reports.totals().reports / leanStep * leanStep
    while next < count {
      for suffix in ["", "-wal", "-shm"] { unlink("\(home)/blobs/small.db\(suffix)") }
      let end = min(next + leanPart, count)
      let store = try CrashStore(opening: home, cacheBytes: leanCache)
      try run(into: store, of: count, parts: [next..<end])
      next = end
    }
  }

  /// Stores reports beyond the `count` of a home, with the numbers that follow.
  ///
  /// - Parameter first: Number of reports that have been stored in this way before.
  static func more(home: String, count: Int, first: Int, last: Int) throws {
    try run(
      into: CrashStore(opening: home), of: count, parts: [count + first..<count + last])
  }

  private static func run(into store: CrashStore, of count: Int, parts: [Range<Int>]) throws {
    let world = SyntheticData()
    let processor = ReportProcessor(
      symbolicator: Symbolicator(
        sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches)),
      signer: Signer(rules: .standard), scrubber: try Scrubber(of: store.settings))
    var came = ReceivedBytes()
    for (part, numbers) in parts.enumerated() {
      let (wall, processorTime) = (Measure.wallTime, Measure.processorTime)
      let received = Timestamp(
        seconds: Int64(
          SyntheticData.firstDay + (numbers.upperBound * SyntheticData.days / max(count, 1) + 1)
            * 86_400))
      let result = try Ingest(into: store, processor: processor).run(received: received) { bring in
        for number in numbers {
          let text = ByteView(ReportGenerator.text(number, of: count, in: world))
          came.add(text)
          let file = InputFile(
            path: "made/\(number).ips", content: .success(text), ordinal: number)
          if bring(file) == .stop { return }
        }
      }
      let seconds = Measure.wallTime - wall
      let used = Measure.processorTime - processorTime
      guard result.refused.isEmpty else {
        throw HomeBenchError(reason: "refused: \(result.refused[0].reason)")
      }
      print(
        "part \(part + 1) reports \(numbers.count) stored \(result.reports) wall \(seconds) "
          + "cpu \(used) rate \(Int(Double(numbers.count) / max(seconds, 1e-6)))")
      fflush(nil)
    }
    print("came \(came.bytes) compressed \(came.compressed)")
    let totals = try store.reports.totals()
    print("reports \(totals.reports) groups \(totals.groups) counted \(totals.counted)")
    print("peak \(Measure.peakMemory)")
  }
}

/// The bytes of reports, and what they would take if each were compressed by itself, as clients send them:
/// measured of one in a hundred.
private struct ReceivedBytes {
  private static let step = 100
  private(set) var bytes = 0
  private var sample = (bytes: 0, compressed: 0)
  private var count = 0

  var compressed: Int { sample.bytes == 0 ? 0 : bytes * sample.compressed / sample.bytes }

  mutating func add(_ text: ByteView) {
    bytes += text.count
    if count % Self.step == 0, let packed = try? Zstandard.compress(text) {
      sample = (sample.bytes + text.count, sample.compressed + packed.count)
    }
    count += 1
  }
}

struct HomeBenchError: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
