import Bytes
import CommandSupport
import CrashModel
import CrashService
import CrashStore
import Grouping
import Pipeline
import Query
import ReportDocument
import ServerStore
import SymbolSources
import Terminal
import TriageModel

/// The test crash on its way through a temporary home on the same disk.
struct HomeSelfTest {
  private static let steps = ["intake", "worker", "symbolication", "group", "query"]

  let home: String
  /// The finding about the disk: if it failed, it explains later failures.
  let disk: DoctorFinding

  func run(_ tell: (DoctorFinding) throws -> Void) throws {
    let folder: ProcessFolder
    do {
      folder = try ProcessFolder(for: .doctor, in: home)
    } catch {
      return try tell(
        .failed(
          "intake", "no folder can be made in \(home): \(error.reason)",
          StorageRemedy.text(for: error, disk: disk)))
    }
    defer { withExtendedLifetime(folder) {} }
    var done = 0
    func pass(_ text: String) throws {
      try tell(.fine(Self.steps[done], text))
      done += 1
    }
    do {
      try run(in: folder.path + "/home", symbols: folder.path + "/mayday-doctor.sym", pass)
    } catch {
      let name = Self.steps[min(done, Self.steps.count - 1)]
      try tell(
        .failed(
          name, Exit.describe(error).message ?? "\(error)",
          StorageRemedy.text(for: error, disk: disk)))
      for other in Self.steps.dropFirst(done + 1) { try tell(.skipped(other, after: name)) }
    }
  }

  private func run(
    in home: String, symbols path: String, _ pass: (String) throws -> Void
  ) throws {
    let store = try CrashStore(opening: home)
    let server = try ServerStore(opening: home)
    var limits = IntakeLimits()
    // No reserve: this checks whether intake works; free space was checked before.
    limits.reserve = 0
    let queue = IntakeQueue(in: server, limits: limits)
    let trial = SelfTestCrash(now: .now)
    let clock = ContinuousClock()
    let time = try clock.measure {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: .now, facts: [IntakeFact.app: SelfTestCrash.app],
          body: trial.report))
    }
    try pass("a report is written and synced in \(time.milliseconds) ms")

    try OutputFile.write(SelfTestCrash.symbols.array, to: path)
    let stored = try DebugFileIngest(store: store)
      .store(DebugFileScanner().scan([path]))
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    let progress = try worker.step()
    try worker.finish()
    guard progress.reports == 1, try queue.counts().done == 1 else {
      let problem = try queue.quarantined().first?.problem ?? "nothing was stored"
      throw CommandFailure(problem)
    }
    try pass("the report is taken from the queue and stored")

    guard stored.first?.outcome == .added else {
      throw CommandFailure("the debug file was not accepted")
    }
    let query = try Query("function:\(SelfTestCrash.function)", now: .now)
    let summary = try store.reports.list(ReportQuery()).items.first
    guard let summary else { throw CommandFailure("no report was stored") }
    let report = try CrashReport(document: store.reports.get(summary.id).document)
    let frame = report.threads.first?.frames.first
    guard frame?.function == SelfTestCrash.function, frame?.line == SelfTestCrash.line else {
      throw CommandFailure(
        "the address is not resolved: \(frame?.function ?? "no function"), line \(frame?.line ?? 0)"
      )
    }
    try pass(
      "its address is \(SelfTestCrash.function) at \(SelfTestCrash.file):\(SelfTestCrash.line)")

    let groups = try store.groups.list(GroupQuery()).items
    guard groups.count == 1, groups[0].reports == 1 else {
      throw CommandFailure("there are \(groups.count) groups instead of one")
    }
    try pass("it is in the group '\(groups[0].signature.text)'")
    guard try store.reports.list(ReportQuery(query)).items.map(\.id) == [summary.id] else {
      throw CommandFailure("the report is not found by its function")
    }
    try pass("it is found by its function")
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
