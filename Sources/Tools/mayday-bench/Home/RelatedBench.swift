internal import Bytes
internal import CrashInput
internal import CrashStore
internal import Glibc
internal import Grouping
internal import Pipeline
internal import ReportDocument
internal import Symbolication
internal import TestSupport

/// Fills a home with one app whose reports are a group each, and prints how long it takes to find the groups
/// similar to one, and to store one more report.
enum RelatedBench {
  private static let app = "Tern"
  private static let rounds = 400

  /// - Parameters:
  ///   - home: The home folder; existing reports stay.
  ///   - count: Approximate number of groups in the end.
  static func run(home: String, groups count: Int) throws {
    let store = try CrashStore(opening: home)
    if try !store.apps.list().contains(where: { $0.name == app }) {
      try store.apps.add(app, secret: nil)
    }
    let processor = ReportProcessor(
      symbolicator: Symbolicator(
        sources: [StoredSymbols(in: store)], pool: SymbolCachePool(folder: store.caches)),
      signer: Signer(rules: .standard), scrubber: nil, app: app)
    let first = try store.reports.totals().reports
    _ = try Ingest(into: store, processor: processor).run(received: CrashStore.now) { bring in
      for number in min(first, count)..<count {
        let file = InputFile(
          path: "made/\(number).txt", content: .success(ByteView(text(number).utf8)),
          ordinal: number)
        if bring(file) == .stop { return }
      }
    }
    let totals = try store.reports.totals()
    print("reports \(totals.reports) groups \(totals.groups)")
    var random = SplitMix(seed: UInt64(totals.reports))
    let (related, filed) = try (
      times { _ in
        _ = try store.groups.related(to: "TERN-\(1 + random.below(totals.groups))").count
      },
      times { round in try file(totals.reports + round, processor, in: store) }
    )
    print("related \(related)\nfiled \(filed)\npeak \(Measure.peakMemory)")
  }

  /// Returns milliseconds: the median and the 99th percentile.
  private static func times(_ body: (Int) throws -> Void) rethrows -> String {
    var times: [Double] = []
    for round in 0..<rounds {
      let start = Measure.wallTime
      try body(round)
      times.append((Measure.wallTime - start) * 1e3)
    }
    times.sort()
    return "median \(times[rounds / 2]) p99 \(times[rounds * 99 / 100])"
  }

  private static func file(
    _ number: Int, _ processor: ReportProcessor, in store: CrashStore
  ) throws {
    let bytes = ByteView(text(number).utf8)
    let processed = try processor.process(bytes)
    let ids = ReportID.ids(of: bytes, app: app, count: processed.count)
    let received = CrashStore.now
    _ = try store.reports.add(
      Submission(bytes: bytes, source: "made", received: received, app: app),
      reports: zip(processed, ids).map {
        ($0.report, ByteView($0.report.document(id: $1, received: received)))
      })
  }

  /// Returns a crash of 8 to 24 functions out of 20,000, a few of which are in most stacks.
  private static func text(_ number: Int) -> String {
    var random = SplitMix(seed: UInt64(number) &* 0x9e37_79b9_7f4a_7c15 &+ 3)
    var text = "==\(number + 1)==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000\n"
    let depth = 8 + random.below(17)
    for index in 0..<depth {
      // The square of a share prefers the first of them; the deeper, the more.
      let share = random.below(1000) * random.below(1000) / 1000
      let function = index < 3 ? random.below(20_000) : share * share * 20_000 / 1_000_000
      text += "    #\(index) 0x\(1000 + index) in tern::Part\(word(function / 40))"
      text += "::do\(word(function % 40)) /src/tern.cc:\(1 + function)\n"
    }
    return text + "SUMMARY: AddressSanitizer: SEGV\n"
  }

  /// Returns letters, as digits do not distinguish functions.
  private static func word(_ number: Int) -> String {
    let letters = Array("abcdefghijklmnopqrst")
    return String([letters[number / 400 % 20], letters[number / 20 % 20], letters[number % 20]])
  }
}
