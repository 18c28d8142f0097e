import Bytes
import CrashModel
import Crypto
import Database
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// Debug files that arrive in every order, in every batch size, at processes that die.
@Suite("Late arrival") struct LateArrivalTests {
  private typealias Crash = LateModel.Crash
  private static let modules = ["A", "B", "libx", "liby"]

  /// Crashes of few bugs, at few locations, through few modules, so that they merge.
  private static func crashes(_ random: inout SplitMix) -> [Crash] {
    (0..<Int.random(in: 6...14, using: &random)).map { _ in
      Crash(
        calls: (0..<Int.random(in: 1...3, using: &random)).map { _ in
          let module = modules.randomElement(using: &random) ?? "A"
          let offset = Int.random(in: 0...2, using: &random)
          // Two locations may be in one function, and functions of two modules have one name.
          return LateModel.Call(
            module: module, offset: offset, function: "f\(offset / 2)",
            isApp: !module.hasPrefix("lib"))
        })
    }
  }

  private static func id(of module: String) -> DebugID { DebugID(uuid: Array(module.utf8)) }

  private static func report(_ crash: Crash, with modules: Set<String>) -> CrashReport {
    let missing = crash.calls.filter { $0.isApp && !modules.contains($0.module) }
    let text = crash.text(with: modules)
    var report = StoreFixture.report(text, install: String(crash.calls.count))
    report.signature = Signature(
      text: text, key: text, category: .signal, rules: "v1",
      isProvisional: crash.isProvisional(with: modules),
      waitsFor: missing.first.map { [id(of: $0.module)] } ?? [])
    report.images = crash.modules.sorted().map { module in
      var image = LoadedImage(name: module, debugID: id(of: module))
      image.symbols = SymbolStatus(modules.contains(module) ? .found : .missing)
      return image
    }
    return report
  }

  /// A store with the crashes, and the debug files that arrive.
  private struct Home {
    let fixture: StoreFixture
    let crashes: [Crash]
    var ids: [String] = []
    var modules: Set<String> = []

    init(_ crashes: [Crash]) throws {
      fixture = try StoreFixture()
      self.crashes = crashes
      ids = try fixture.file("r", crashes.map { LateArrivalTests.report($0, with: []) })
    }

    mutating func add(_ module: String) throws {
      modules.insert(module)
      let bytes = ByteView(Array("debug file of \(module)".utf8))
      try fixture.store.debugFiles.add(
        bytes,
        records: [
          DebugFileRecord(
            debugID: LateArrivalTests.id(of: module), codeID: nil, architecture: .arm64,
            kind: "debug-info", name: module, digest: SHA256.hex(of: bytes), size: bytes.count,
            added: StoreFixture.start)
        ])
    }

    /// Reprocesses up to `limit` reports, as one of several processes may.
    ///
    /// - Returns: Whether there were any.
    func reprocess(_ limit: Int, fromEnd: Bool) throws -> Bool {
      let arrivals = try fixture.store.debugFiles.arrivals()
      let waiting = try fixture.store.reports.toReprocess(limit: limit, newestFirst: fromEnd)
      try fixture.store.reports.replace(
        waiting.map { id in
          let report = LateArrivalTests.report(
            crashes[ids.firstIndex(of: id) ?? 0], with: modules)
          return .replaced(
            try PreparedReplacement(
              of: id, received: StoreFixture.start, by: report,
              document: ByteView((report.signature?.text ?? "").utf8), arrivals: arrivals))
        })
      return !waiting.isEmpty
    }

    func finish() throws {
      while try reprocess(.max, fromEnd: false) {}
      while try fixture.store.groups.settle() {}
    }

    /// The number of each report's group.
    func groups() throws -> [Int] {
      try ids.map { id in
        let name = try fixture.store.reports.get(id).summary.group
        return Int(name.split(separator: "-").last ?? "") ?? 0
      }
    }

    func partition() throws -> Set<Set<Int>> {
      let groups = try groups()
      return Set(Dictionary(grouping: groups.indices) { groups[$0] }.values.map { Set($0) })
    }
  }

  @Test("One after the other, groups are as in the model, number by number", arguments: 0..<40)
  func model(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed))
    let crashes = Self.crashes(&random)
    var model = LateModel(crashes)
    var home = try Home(crashes)
    #expect(try home.groups() == model.groups)
    for module in Self.modules.shuffled(using: &random) {
      model.add([module])
      try home.add(module)
      try home.finish()
      #expect(try home.groups() == model.groups, "seed \(seed), \(module)")
      try home.fixture.check()
    }
  }

  @Test(
    "Trap 35: in every order the same reports end together, whatever else happens",
    arguments: 0..<TestSize.of(small: 2, all: 20))
  func everyOrder(seed: Int) throws {
    var random = SplitMix(seed: UInt64(seed) &+ 1000)
    let crashes = Self.crashes(&random)
    let texts = crashes.map { $0.text(with: Set(Self.modules)) }
    let expected = Set(
      Dictionary(grouping: texts.indices) { texts[$0] }.values.map { Set($0) })
    for order in Self.orders(of: Self.modules) {
      var home = try Home(crashes)
      for module in order {
        try home.add(module)
        // Some are done, by any process, and the process may die before the rest.
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          _ = try home.reprocess(
            Int.random(in: 1...4, using: &random), fromEnd: Bool.random(using: &random))
          if Bool.random(using: &random) { _ = try home.fixture.store.groups.settle() }
        }
      }
      try home.finish()
      #expect(try home.partition() == expected, "seed \(seed), \(order)")
      try home.fixture.check()
      for (id, text) in zip(home.ids, texts) {
        #expect(try home.fixture.store.reports.get(id).document.text == text)
        let group = try home.fixture.store.groups.get(
          home.fixture.store.reports.get(id).summary.group)
        #expect(group.signature.text == text && !group.signature.isProvisional)
      }
    }
  }

  private static func orders(of modules: [String]) -> [[String]] {
    guard modules.count > 1 else { return [modules] }
    return modules.flatMap { first in
      orders(of: modules.filter { $0 != first }).map { [first] + $0 }
    }
  }

  @Test("Trap 34: debug files for the second module only change its part of the keys")
  func secondModule() throws {
    func crash(_ first: Int, _ second: Int) -> Crash {
      Crash(calls: [
        LateModel.Call(module: "A", offset: first, function: "f\(first / 2)", isApp: true),
        LateModel.Call(module: "B", offset: second, function: "g\(second / 2)", isApp: true),
      ])
    }
    var home = try Home([crash(0, 0), crash(0, 1), crash(2, 0), crash(0, 2)])
    #expect(try home.groups() == [1, 2, 3, 4])
    try home.add("B")
    try home.finish()
    #expect(
      try home.fixture.groups() == [
        "TERN-1: A+0 | g0, 2", "TERN-3: A+2 | g0, 1", "TERN-4: A+0 | g1, 1",
      ])
    #expect(try home.fixture.store.groups.get("TERN-2").id == "TERN-1")
    try home.add("A")
    try home.finish()
    #expect(
      try home.fixture.groups() == [
        "TERN-1: f0 | g0, 2", "TERN-3: f1 | g0, 1", "TERN-4: f0 | g1, 1",
      ])
    try home.fixture.check()
  }

  @Test(
    "Trap 33: a thousand reports in three provisional groups of one bug: one group, the oldest's")
  func thousand() throws {
    let crashes = (0..<1000).map { index in
      Crash(calls: [
        LateModel.Call(module: "A", offset: index % 3, function: "f", isApp: true)
      ])
    }
    var home = try Home(crashes)
    #expect(try home.fixture.groups().count == 3)
    try home.add("A")
    while try home.reprocess(64, fromEnd: false) {}
    while try home.fixture.store.groups.settle() {}
    #expect(try home.fixture.groups() == ["TERN-1: f, 1000"])
    try home.fixture.check()
    let history = try home.fixture.store.groups.history(ofGroup: "TERN-1")
    #expect(history.map(\.event).filter { $0 == "merged" }.count == 2)
    #expect(history.map(\.detail).contains("f; before: A+0"))
    #expect(history.map(\.event).filter { $0 == "symbolicated" }.count == 3)
  }

  @Test("A debug file that comes while a report is being stored is not forgotten")
  func race() throws {
    let crash = Crash(calls: [LateModel.Call(module: "A", offset: 0, function: "f", isApp: true)])
    var home = try Home([crash])
    let before = try home.fixture.store.debugFiles.arrivals()
    try home.add("A")
    try home.finish()
    // Computed before the file was there, stored after.
    try home.fixture.store.reports.add([
      try PreparedSubmission(
        Submission(
          bytes: ByteView("late".utf8), source: "late", received: StoreFixture.start, app: "Tern"),
        reports: [(Self.report(crash, with: []), ByteView("{}".utf8))], arrivals: before)
    ])
    #expect(try home.fixture.store.reports.waitingCount() == 1)
    // One that has seen it waits for another file.
    try home.fixture.store.reports.add([
      try PreparedSubmission(
        Submission(
          bytes: ByteView("next".utf8), source: "next", received: StoreFixture.start, app: "Tern"),
        reports: [(Self.report(crash, with: []), ByteView("{}".utf8))], arrivals: before + 1)
    ])
    #expect(try home.fixture.store.reports.waitingCount() == 1)
  }

  @Test("A file that arrives while reports are being reprocessed is not forgotten either")
  func raceAgain() throws {
    let crash = Crash(calls: [LateModel.Call(module: "A", offset: 0, function: "f", isApp: true)])
    var home = try Home([crash])
    try home.add("A")
    let before = try home.fixture.store.debugFiles.arrivals()
    try home.add("libx")
    var report = Self.report(crash, with: [])
    report.images.append(LoadedImage(name: "libx", debugID: Self.id(of: "libx")))
    report.images[1].symbols = SymbolStatus(.missing)
    let replacement = try PreparedReplacement(
      of: home.ids[0], received: StoreFixture.start, by: report, document: ByteView("{}".utf8),
      arrivals: before)
    #expect(try home.fixture.store.reports.replace([.replaced(replacement)]) == 1)
    #expect(try home.fixture.store.reports.waitingCount() == 1)
    try home.finish()
    #expect(try home.fixture.store.reports.replace([.replaced(replacement)]) == 0)
    try home.fixture.check()
  }

  @Test("A report that cannot be reprocessed says why, and stays in its group")
  func failure() throws {
    let fixture = try StoreFixture()
    let ids = try fixture.file("a", [StoreFixture.report("k1")])
    try fixture.ask(for: ids)
    #expect(try fixture.store.reports.toReprocess(limit: 10) == ids)
    try fixture.store.reports.replace([.failed(id: ids[0], reason: "gone")])
    #expect(try fixture.store.reports.toReprocess(limit: 10) == [])
    #expect(try fixture.store.reports.reprocessingProblems().map(\.reason) == ["gone"])
    #expect(try fixture.store.groups.settle() == false)
    #expect(try fixture.store.groups.get("TERN-1").reports == 1)
    try fixture.check()
  }
}
