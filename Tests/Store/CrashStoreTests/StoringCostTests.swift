import CrashModel
import Database
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

/// The cost of storing a report must not depend on how many are stored already.
@Suite struct StoringCostTests {
  /// Statements whose work per report may grow: none. One that reads an app's rows in the home, instead of
  /// those of the report, is found here, whatever plan caused it.
  @Test func `No statement of storing works more in a home of ten times as many reports`() throws {
    var options = Connection.Options()
    options.countsWork = true
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"), options: options)
    var random = SplitMix(seed: 7)
    var next = 0

    func add(_ count: Int) throws {
      for _ in 0..<count / 50 {
        let batch = try (0..<50).map { _ in
          next += 1
          return try StoreFixture.prepared("r\(next)", [Self.report(next, &random)])
        }
        try store.reports.add(batch)
        while try store.groups.settle() {}
      }
    }
    func costs() throws -> [String: StatementCost] {
      try store.connection.withLock { $0.statementCosts }
    }
    /// Steps for each report of one round.
    func round() throws -> [String: Int] {
      let before = try costs()
      try add(100)
      return try costs().mapValues { $0 }.reduce(into: [:]) { steps, cost in
        steps[cost.key] = cost.value.steps - (before[cost.key]?.steps ?? 0)
      }
    }

    try add(200)
    let small = try round()
    try add(2_400)
    let large = try round()
    #expect(small.count > 20)
    #expect(small.values.reduce(0, +) > 10_000)
    for (sql, steps) in large.sorted(by: { $0.value > $1.value }) {
      let before = small[sql, default: 0]
      #expect(steps < before * 2 + 5_000, "\(before) steps became \(steps): \(sql)")
    }
  }

  /// One of many bugs of an app, with a stack of its own that shares frames with others.
  static func report(_ number: Int, _ random: inout SplitMix) -> CrashReport {
    let bug = Int.random(in: 0..<number, using: &random) / 3 * 3
    let missing = DebugID(breakpad: format32(bug % 40) + "0")
    var report = StoreFixture.report(
      "key \(bug)", provisional: bug % 4 == 0,
      waitsFor: bug % 4 == 0 ? [missing].compactMap(\.self) : [],
      version: "1.\(number % 7)", install: "install \(number % 90)", seconds: Int64(number) * 600,
      os: ["iOS", "Android", "Linux"][number % 3])
    let calls = [
      "shop::Cart\(bug)::total\(number % 4)", "shop::Cart\(bug / 9)::run", "shop::loop", "main",
    ]
    report.signature?.text = calls[0]
    report.signature?.steps = calls.enumerated().map { index, call in
      SignatureStep(
        frame: index, subject: call, result: call,
        frameClass: (index == 3 ? FrameClass.base : .app).rawValue, rule: "", used: index == 0)
    }
    return report
  }

  private static func format32(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "A", count: 32 - digits.count) + digits.uppercased()
  }
}
