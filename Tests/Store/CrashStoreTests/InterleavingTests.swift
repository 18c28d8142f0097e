import Bytes
import CrashModel
import Synchronization
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Reports, debug files, merges, splits and undos in every possible order.
@Suite("Interleavings") struct InterleavingTests {
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

  /// The events; those of one name happen in order, and after those they depend on.
  private enum Event: Hashable {
    case arrival(Int)
    /// All waiting reports are reprocessed.
    case debugFile(Int)
    case merge(Int, Int)
    case undoMerge(Int, Int)
    case unmerge(Int, Int)
    case split(Int)
    case undoSplit(Int)
  }

  private struct Plan {
    var crashes: [Crash] = []
    var chains: [[Event]] = []
    /// Bugs that are one in the end, and those whose versions from 3 on are split off.
    var merged: [(Int, Int)] = []
    var splits: Set<Int> = []

    init(_ random: inout SplitMix) {
      // One of each bug on either side of a split, with its symbols: decisions need an existing group.
      for bug in 0..<7 {
        for version in [1, 4] {
          crashes.append(Crash(name: "a\(bug)\(version)", bug: bug, version: version, module: nil))
        }
      }
      for number in 0..<Int.random(in: 6...20, using: &random) {
        crashes.append(
          Crash(
            name: "r\(number)", bug: Int.random(in: 0..<7, using: &random),
            version: Int.random(in: 1...5, using: &random),
            module: Bool.random(using: &random) ? Int.random(in: 0..<3, using: &random) : nil))
      }
      chains = crashes.indices.map { [.arrival($0)] } + (0..<3).map { [.debugFile($0)] }
      // A separated merge shares no bug with another merge: reports that joined the whole stay in it.
      for (one, other) in [(0, 1), (2, 3), (3, 4)] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: continue
        case 1 where one == 0: chains.append([.merge(one, other), .undoMerge(one, other)])
        case 2 where one == 0: chains.append([.merge(one, other), .unmerge(one, other)])
        default:
          chains.append([.merge(one, other)])
          merged.append((one, other))
        }
      }
      if Bool.random(using: &random) {
        let isUndone = Bool.random(using: &random)
        chains.append(isUndone ? [.split(6), .undoSplit(6)] : [.split(6)])
        if !isUndone { splits.insert(6) }
      }
    }

    /// The names of the crashes of each group in the end.
    var partition: Set<Set<String>> {
      var roots = [0, 1, 2, 3, 4, 0, 6]
      for (one, other) in merged {
        let (old, new) = (roots[other], roots[one])
        roots = roots.map { $0 == old ? new : $0 }
      }
      let groups = Dictionary(grouping: crashes) { crash in
        splits.contains(crash.bug) && crash.version >= 3 ? 10 + crash.bug : roots[crash.bug]
      }
      return Set(groups.values.map { Set($0.map(\.name)) })
    }

    /// The events in a possible order.
    func order(_ random: inout SplitMix) -> [Event] {
      var chains = chains
      var order: [Event] = []
      var done: Set<Event> = []
      func isPossible(_ event: Event) -> Bool {
        func hasBug(_ bug: Int) -> Bool {
          crashes.indices.prefix(14).allSatisfy {
            crashes[$0].bug != bug || done.contains(.arrival($0))
          }
        }
        return switch event {
        case .arrival, .debugFile: true
        case .merge(let one, let other): hasBug(one) && hasBug(other)
        case .split(let bug): hasBug(bug)
        case .undoMerge, .unmerge, .undoSplit: true
        }
      }
      while !chains.isEmpty {
        let possible = chains.indices.filter { isPossible(chains[$0][0]) }
        let next = possible.randomElement(using: &random) ?? 0
        let event = chains[next].removeFirst()
        if chains[next].isEmpty { chains.remove(at: next) }
        done.insert(event)
        order.append(event)
      }
      return order
    }
  }

  private final class Run {
    let fixture: StoreFixture
    private let plan: Plan
    private var waiting: [Int: [(id: String, crash: Crash)]] = [:]
    private var modules: Set<Int> = []
    private var names: [String: String] = [:]
    /// The line of the history of each decision, with the group that has it.
    private var lines: [String: (group: String, line: Int)] = [:]
    private var parts: [String: String] = [:]

    init(_ plan: Plan) throws {
      fixture = try StoreFixture()
      self.plan = plan
    }

    private func group(_ bug: Int) throws -> String {
      try #require(try fixture.store.groups.owner(ofKey: "k\(bug)", app: "Tern")).group
    }

    private func lastLine(_ group: String) throws -> Int {
      try #require(try fixture.store.groups.history(ofGroup: group).last { $0.isAction }).number
    }

    func happen(_ event: Event) throws {
      let triage = fixture.store.triage
      switch event {
      case .arrival(let number):
        let crash = plan.crashes[number]
        let isLate = crash.module.map { !modules.contains($0) } ?? false
        let stored = try fixture.add(crash.name, crash.report(isLate: isLate))
        names[stored.report] = crash.name
        if isLate, let module = crash.module {
          waiting[module, default: []].append((stored.report, crash))
        }
      case .debugFile(let module):
        modules.insert(module)
        try fixture.reprocess(
          (waiting[module] ?? []).map { ($0.id, $0.crash.report(isLate: false)) })
      case .merge(let one, let other):
        let (whole, part) = (try group(one), try group(other))
        try triage.merge([part], into: whole, by: "ann")
        parts["\(one) \(other)"] = part
        lines["\(one) \(other)"] = (whole, try lastLine(whole))
      case .undoMerge(let one, let other):
        let line = try #require(lines["\(one) \(other)"])
        try triage.undo([line.group], line: line.line, by: "ann")
      case .unmerge(let one, let other):
        try triage.unmerge([try #require(parts["\(one) \(other)"])], by: "ann")
      case .split(let bug):
        let whole = try group(bug)
        try triage.split(whole, where: "version:>=3.0", by: "ann")
        lines["\(bug)"] = (whole, try lastLine(whole))
      case .undoSplit(let bug):
        let line = try #require(lines["\(bug)"])
        try triage.undo([line.group], line: line.line, by: "ann")
      }
    }

    func partition() throws -> Set<Set<String>> {
      Set(
        try fixture.store.groups.list().items.map { group in
          Set(try fixture.store.store(reportsOf: group.id).map { names[$0] ?? $0 })
        }.filter { !$0.isEmpty })
    }
  }

  @Test("In any order, the groups are the same in the end", arguments: 11..<19)
  func confluence(seed: UInt64) throws {
    var random = SplitMix(seed: 4_000 + seed)
    let plan = Plan(&random)
    for turn in 0..<4 {
      let run = try Run(plan)
      let order = plan.order(&random)
      for event in order { try run.happen(event) }
      #expect(try run.partition() == plan.partition, "seed \(seed), turn \(turn): \(order)")
      try run.fixture.check()
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
    let plan = Plan(&random)
    let crashes =
      plan.crashes
      + (0..<60).map { number in
        Crash(
          name: "w\(number)", bug: Int.random(in: 0..<7, using: &random),
          version: Int.random(in: 1...5, using: &random),
          module: Int.random(in: 0..<3, using: &random))
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
