import Bytes
import CrashModel
import Synchronization
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Reports that several workers store, and debug files that arrive after them.
@Suite("Concurrent workers") struct ConcurrentWorkerTests {
  /// A crash of a bug; until its debug file arrives, it has a key by its addresses.
  private struct Crash {
    let name: String
    /// k0 to k6; k0 could be read as k5, too.
    let bug: Int
    let version: Int
    /// The debug file that it waits for; `nil` if it was there.
    let module: Int?

    var key: String { "k\(bug)" }

    func report(isLate: Bool) -> CrashReport {
      let key = isLate ? "p\(module ?? 0)" : key
      return StoreFixture.report(
        key, alternatives: !isLate && bug == 0 ? ["k5"] : [], provisional: isLate,
        version: "\(version).0", install: name)
    }
  }

  /// The visible state of groups, whatever their numbers.
  private static func partition(_ fixture: StoreFixture) throws -> Set<Set<String>> {
    Set(
      try fixture.store.groups.list().items.map {
        Set(try fixture.store.store(reportsOf: $0.id))
      }.filter { !$0.isEmpty })
  }

  @Test("Eight workers end with the same groups as one", arguments: 0..<3)
  func workers(seed: UInt64) throws {
    var random = SplitMix(seed: 5_000 + seed)
    let crashes =
      (0..<80).map { number in
        Crash(
          name: "w\(number)", bug: Int.random(in: 0..<7, using: &random),
          version: Int.random(in: 1...5, using: &random),
          module: [0, 1, 2, nil].randomElement(using: &random) ?? nil)
      }
    let one = try StoreFixture()
    for crash in crashes { try one.add(crash.name, crash.report(isLate: false)) }
    let fixture = try StoreFixture()
    let home = fixture.folder.path("home")
    let next = Atomic<Int>(0)
    let failures = Mutex<[String]>([])
    let late = Mutex<[(id: String, report: CrashReport)]>([])
    runThreads(8) {
      do {
        let store = try CrashStore(checking: home)
        while case let number = next.add(1, ordering: .relaxed).oldValue, number < crashes.count {
          let isLate = crashes[number].module != nil
          let stored = try StoreFixture.add(
            crashes[number].name, crashes[number].report(isLate: isLate), to: store)
          guard isLate else { continue }
          late.withLock { $0.append((stored.report, crashes[number].report(isLate: false))) }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    // The debug files arrive, and the workers share the waiting reports.
    let waiting = late.withLock { $0 }
    try fixture.ask(for: waiting.map(\.id))
    let portion = Atomic<Int>(0)
    runThreads(8) {
      do {
        let store = try CrashStore(checking: home)
        while case let start = portion.add(3, ordering: .relaxed).oldValue, start < waiting.count {
          try store.reports.replace(
            waiting[start..<min(start + 3, waiting.count)].map { id, report in
              .replaced(
                try PreparedReplacement(
                  of: id, received: StoreFixture.start, by: report,
                  document: ByteView("{}".utf8), arrivals: .max))
            })
          _ = try store.groups.settle()
        }
        while try store.groups.settle() {}
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try Self.partition(fixture) == Self.partition(one), "seed \(seed)")
    try fixture.check()
  }
}
