import Bytes
import CrashInput
import Pipeline
import TestSupport
import Testing

/// Every sample of text as it occurs: deep in a log that is read in chunks, and beside another.
@Suite("Samples in logs") struct WrappedLogTests {
  private static let wrappings =
    [Wrapping(name: "bare") { $0 }]
    + Wrapping.all.filter { ["docker logs -t", "Docker's JSON"].contains($0.name) }

  /// The facts of the reports in `log`, read in chunks of the given size.
  private static func partFacts(of log: [UInt8], window: Int) -> [ReportFacts] {
    let divider = LogChunker()
    let bytes = ByteView(log)
    var facts: [ReportFacts] = []
    var start = 0
    var size = window
    while true {
      let view = bytes.clamped(start..<(start + size))
      let isLast = view.count < size
      switch divider.cut(view, isLast: isLast, isFull: size >= 16 * window) {
      case .grow: size *= 2
      case .part(let part, let next):
        if let part { facts += ReportFacts.of(view.clamped(part).array) ?? [] }
        if isLast { return facts }
        start += max(next, 1)
        size = min(max(view.count - next, 0) + window, 16 * window)
      }
    }
  }

  @Test("The chunks of a long log have the reports of the whole", arguments: wrappings)
  func long(wrapping: Wrapping) throws {
    let noise = Array(
      (0..<6_000).map { "request \($0 &* 7919 % 6_007) done, and the till is ready\n" }.joined()
        .utf8)
    var wrong: [String] = []
    for sample in TestSize.some(of: WrappedSamples.all, small: 8) {
      let bytes = try Samples.bytes(sample)
      let log = wrapping.wrap(noise + bytes + (bytes.last == 10 ? [] : [10]) + noise)
      let bare = try #require(ReportFacts.of(log), "\(sample)")
      let found = Self.partFacts(of: log, window: 128 << 10)
      if found == bare { continue }
      wrong.append("\(sample)\t\(ReportFacts.difference(bare, found))")
    }
    #expect(wrong == [])
  }

  /// Samples that are read as one file, whatever follows.
  private static let whole = ["unreal/assert-1.0.0.runtime-xml"]

  private static let lastWords = [
    "rust-panic/", "go-panic/", "native-log/check-failed", "python-traceback/fault",
  ]

  /// Pairs whose first report continued into the second, or took something from it.
  private static let alike = [
    ("android-tombstone/handler-abort-whole.txt", "dart/missing-price-1.0.0-flutter.txt"),
    ("android-tombstone/null-read-whole.txt", "android-anr/blocked-main-1.0.0.txt"),
    ("android-tombstone/worker-null-1.0.0.txt", "java-trace/shortened.txt"),
    ("crashlytics/missing-price-1.0.0-android.txt", "wasm-runtime/divide-1.0.0.txt"),
    ("dart/missing-price-1.0.0-flutter.txt", "dotnet/missing-price-1.0.0-mono.txt"),
    ("debugger/handler-abort-whole-gdb.txt", "debugger/null-read-gdb.txt"),
    ("java-trace/shortened.txt", "android-tombstone/worker-null-1.0.0.txt"),
    ("native-log/check-failed-glog.txt", "native-log/check-failed-glog.txt"),
    ("native-log/check-failed-glog.txt", "native-log/null-read-whole-pie.txt"),
    ("native-log/null-read-glibc.txt", "native-log/check-failed-glog.txt"),
    ("native-log/null-read-whole-fixed.txt", "native-log/null-read-glibc.txt"),
    ("python-traceback/group.txt", "javascript/missing-price-1.0.0-firefox.txt"),
    ("ruby/killed-1.0.0.txt", "java-trace/shortened.txt"),
    ("rust-panic/panic-in-drop.txt", "rust-panic/panic-in-drop.txt"),
    (
      "swift-backtrace/core-exception-1.0.0-release.json", "dart/missing-price-1.0.0-obfuscated.txt"
    ),
    ("swift-backtrace/forced-unwrap-1.1.0-debug.txt", "javascript/missing-price-1.0.0-firefox.txt"),
    ("unity/missing-price-1.0.0.log", "javascript/missing-price-1.0.0-firefox.txt"),
    ("windows-debugger/null-read-whole-pdb.txt", "windows-debugger/null-read-cdb-x86.txt"),
    ("windows-event/null-read-1.0.0.wer", "java-trace/deadlock.txt"),
  ]

  @Test("Two reports in one file are both read")
  func pairs() throws {
    var random = SplitMix(seed: TestSize.isAll ? TestSize.seed : 1)
    var wrong: [String] = []
    let others = (0..<TestSize.of(small: 400, all: 8_000)).map { _ in
      (random.pick(WrappedSamples.all), random.pick(WrappedSamples.all))
    }
    for names in Self.alike + others where !Self.whole.contains(names.0) {
      // The last message of a language directly before the sanitizer, debugger or system that caught the
      // `abort` is the reason of the crash.
      if Self.lastWords.contains(where: names.0.hasPrefix), names.1.contains("abort-") { continue }
      let first = try Samples.bytes(names.0)
      let second = try Samples.bytes(names.1)
      let expected = (ReportFacts.of(first) ?? []) + (ReportFacts.of(second) ?? [])
      let found = ReportFacts.of(first + [10] + second) ?? []
      if found == expected { continue }
      wrong.append("\(names.0) + \(names.1)\t\(ReportFacts.difference(expected, found))")
    }
    #expect(wrong == [])
  }
}
