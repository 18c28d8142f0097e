import Archives
import Bytes
import Database
import Files
import Grouping
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import CrashStore
@testable import ServerStore

/// Limits of one submission, and turns of apps.
@Suite("Limits of a submission") struct SubmissionLimitsTests {
  private let folder = ScratchFolder()

  private struct Home {
    let store: CrashStore
    let server: ServerStore
    let queue: IntakeQueue

    init(_ path: String, limits: IntakeLimits = IntakeLimits()) throws {
      UnpackProgram.path = BuiltProgram.mayday
      store = try CrashStore(opening: path)
      server = try ServerStore(opening: path)
      queue = IntakeQueue(in: server, limits: limits)
    }

    func submit(
      _ body: [UInt8], app: String = "Tern", _ facts: [String: String] = [:],
      route: String = IntakeProtocol.reports
    ) throws {
      var facts = facts
      if route == IntakeProtocol.reports { facts[IntakeFact.app] = app }
      try queue.submit(
        IntakeRecord(route: route, received: CrashStore.now, facts: facts, body: ByteView(body)))
    }

    func worker(
      _ limits: SubmissionLimits = SubmissionLimits(), slice: Duration = .seconds(2)
    ) throws -> IntakeWorker {
      try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), limits: limits,
        width: 2, slice: slice)
    }

    func work(_ limits: SubmissionLimits = SubmissionLimits()) throws {
      let worker = try worker(limits)
      while try !worker.step().isNothing {}
      try worker.finish()
    }

    func account(_ app: String = "Tern") throws -> LedgerAccount {
      let ledger = try store.ledger.get(app: app)
      #expect(ledger.faults.isEmpty)
      return try #require(ledger.accounts.first)
    }
  }

  /// A log with the given number of reports.
  private func log(_ count: Int, _ function: String = "f") -> [UInt8] {
    Array(
      String(repeating: "WARNING: CPU: 0 PID: 1 at a.c:1 \(function)+0x1/0x2\n", count: count).utf8)
  }

  private static let few: SubmissionLimits = {
    var limits = SubmissionLimits()
    limits.reports = 10
    limits.members = 6
    return limits
  }()

  @Test("Of a log with too many reports the first are stored, and the ledger counts the others")
  func log() throws {
    let home = try Home(folder.path("home"))
    let id = "0123456789abcdef0123456789abcdef"
    try home.submit(log(25), [IntakeFact.submission: id])
    try home.work(Self.few)
    let account = try home.account()
    #expect(account.reportsStored == 10 && account.reportsKept == 10)
    #expect(account.reportsLeftOut.amount.count == 15)
    #expect(
      account.reportsLeftOut.parts.map(\.reason) == ["limit of 10 reports of a submission reached"])
    guard case .stored(let verdict, isNew: true)? = try home.queue.status(ofSubmission: id)?.outcome
    else { return #expect(Bool(false), "it is stored") }
    #expect(
      verdict.refused.map(\.reason)
        == ["limit of 10 reports of a submission reached: 15 reports not stored"])
    // The same submission again counts nothing.
    try home.submit(log(25))
    try home.work(Self.few)
    #expect(try home.account().reportsLeftOut.amount.count == 15)
    #expect(try home.account().duplicates.amount.count == 1)
  }

  @Test("Files of an archive share the limit: the rest is refused by name, and sums agree")
  func archive() throws {
    let home = try Home(folder.path("home"))
    var zip = ZipBuilder()
    for number in 0..<5 { zip.add("\(number).txt".utf8, log(4, "f\(number)")) }
    try home.submit(zip.bytes)
    try home.work(Self.few)
    var account = try home.account()
    #expect(account.reportsStored == 10 && account.reportsLeftOut.amount.count == 2)
    #expect(account.stored.count == 3 && account.refused.amount.count == 2)
    #expect(account.refused.parts.map(\.reason) == ["limit of 10 reports of a submission reached"])
    // Members beyond their own limit end the archive.
    zip = ZipBuilder()
    for number in 0..<9 { zip.add("\(number).txt".utf8, log(1, "g\(number)")) }
    try home.submit(zip.bytes, app: "Skua")
    try home.work(Self.few)
    account = try home.account("Skua")
    #expect(
      account.reportsStored == 6
        && account.refused.parts.map(\.reason) == ["limit of 6 members reached"])
  }

  @Test("A client with a token may send more")
  func token() throws {
    let home = try Home(folder.path("home"))
    try home.submit(log(25), [IntakeFact.trust: IntakeFact.token])
    try home.work(Self.few)
    let account = try home.account()
    #expect(account.reportsStored == 25 && account.reportsLeftOut.parts.isEmpty)
  }

  @Test(
    "Of an App Center request with too many logs the first are stored; the others are counted, and kept"
  )
  func appCenter() throws {
    let home = try Home(folder.path("home"))
    let logs = (0..<25).map { number in
      """
      {"type":"managedError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A\(10 + number)",
      "timestamp":"2026-03-02T10:12:01Z","exception":{"type":"E","frames":[{"className":"a.B",
      "methodName":"c\(number)","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}}
      """
    }
    let body = Array("{\"logs\":[\(logs.joined(separator: ","))]}".utf8)
    let secret = "5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10"
    try home.store.apps.add("Tern", secret: secret)
    for _ in 0..<2 {
      try home.submit(body, [IntakeFact.secret: secret], route: IntakeProtocol.appCenter)
      try home.work(Self.few)
      let account = try home.account()
      let problems = try home.queue.quarantined().map(\.problem)
      #expect(account.reportsStored == 10, "\(problems)")
      #expect(account.reportsLeftOut.amount.count == 15)
    }
    let problem = try #require(try home.queue.quarantined().first?.problem)
    #expect(problem == "stored in part: limit of 10 reports of a submission reached: 15 not stored")
  }

  @Test("A worker that is killed within a submission stores no more than its limit in all")
  func killed() throws {
    let home = try Home(folder.path("home"))
    var zip = ZipBuilder()
    for number in 0..<5 { zip.add("\(number).txt".utf8, log(4, "f\(number)")) }
    try home.submit(zip.bytes)
    do {
      let first = try home.worker(Self.few)
      #expect(try first.step().reports == 10)
    }
    _ = try home.queue.reclaim()
    try home.work(Self.few)
    #expect(try home.account().reportsStored == 10)
  }

  @Test(
    "A submission pays to the rate what it turned out to hold, also when nothing of it could be read"
  )
  func charges() throws {
    let home = try Home(folder.path("home"))
    let facts = [IntakeFact.client: "c1", IntakeFact.share: "Tern"]
    try home.submit(log(1), facts)
    try home.work()
    #expect(try home.queue.takeCharges().isEmpty)
    let zip = Packing.tarGzip.compress(String(decoding: log(7, "g"), as: UTF8.self))
    try home.submit(zip, facts)
    var junk = ZipBuilder()
    for number in 0..<5 { junk.add("\(number)", "nothing \(number)") }
    try home.submit(junk.bytes, [IntakeFact.client: "c2", IntakeFact.share: "Tern"])
    try home.work()
    let charges = try home.queue.takeCharges().sorted { $0.client < $1.client }
    #expect(charges.map(\.reports) == [6, 4] && charges.map(\.app) == ["Tern", "Tern"])
    #expect(charges[0].bytes == log(7, "g").count - zip.count)
    #expect(try home.queue.takeCharges().isEmpty)
  }

  // MARK: The disk

  @Test(
    "A large submission leaves the reserve: it waits, what is small is stored, and it goes on with room"
  )
  func reserve() throws {
    let free = Free(2_000_000_000)
    var limits = IntakeLimits()
    limits.reserve = 1_000_000
    limits.measure = { (_) throws(FileError) in DiskSpace(free: free.value, total: 1 << 40) }
    let home = try Home(folder.path("home"), limits: limits)
    try home.submit(log(500))
    try home.submit(log(1, "small"), app: "Skua")
    // Less than the reserve, more than its half.
    free.value = 800_000
    let worker = try home.worker()
    for _ in 0..<3 { _ = try worker.step() }
    #expect(try home.account("Skua").reportsStored == 1)
    #expect(try home.store.ledger.totals().reportsStored == 1)
    #expect(try home.queue.counts().waiting == 1)
    free.value = 2_000_000_000
    // Free space is measured once a second.
    for _ in 0..<200 where try home.queue.counts().waiting + home.queue.counts().working > 0 {
      _ = try worker.step()
      SteadyClock.pause(seconds: 0.02)
    }
    try worker.finish()
    #expect(try home.account().reportsStored == 500)
    #expect(try home.queue.counts().stored == 2)
  }

  // MARK: Turns

  @Test("Apps take turns: one app's later submission is processed with another's earlier one")
  func turns() throws {
    let home = try Home(folder.path("home"))
    for number in 0..<50 { try home.submit(log(1, "a\(number)"), app: "Many") }
    try home.submit(log(1, "b"), app: "One")
    try home.submit(log(1, "c"), app: "Other")
    let lease = try WorkerLease(in: home.server)
    let taken = try home.queue.next(for: lease, atMost: 6)
    #expect(taken.map(\.turn) == ["Many", "Many", "One", "Other"])
    #expect(taken.map(\.id).prefix(2) == [1, 2])
    let next = try home.queue.next(for: lease, atMost: 6, excluding: ["Many"])
    #expect(next.isEmpty)
    #expect(try home.queue.next(for: lease, atMost: 100).count == 48)
  }

  @Test("However many apps wait, each is taken after at most as many batches as it needs")
  func manyTurns() throws {
    let home = try Home(folder.path("home"))
    for app in 0..<150 {
      for number in 0..<2 { try home.submit(log(1, "\(number)"), app: "App\(app)") }
    }
    let lease = try WorkerLease(in: home.server)
    var seen: Set<String> = []
    for _ in 0..<3 {
      let taken = try home.queue.next(for: lease, atMost: 64)
      seen.formUnion(taken.map(\.turn))
    }
    #expect(seen.count == 150)
  }

  @Test(
    "Reports of other apps are stored while a long submission is being filed, also other long ones")
  func interrupted() throws {
    let home = try Home(folder.path("home"))
    // Twenty files, each of which is longer than a turn here.
    for app in ["A", "B"] {
      var zip = ZipBuilder()
      for number in 0..<20 { zip.add("\(number).txt".utf8, log(60, "\(app)\(number)")) }
      try home.submit(zip.bytes, app: app)
    }
    try home.submit(log(1, "z"), app: "Z")
    let worker = try home.worker(slice: .milliseconds(1))
    let progress = try worker.step()
    #expect(progress.submissions == 3 && progress.reports >= 1_200)
    while try !worker.step().isNothing {}
    try worker.finish()
    // Reports are numbered as they are stored. The last of the long ones are stored after the short one.
    let order = try home.store.read { database in
      var order: [String] = []
      let rows = try database.prepare(
        "SELECT apps.name FROM reports JOIN apps ON apps.id = reports.app ORDER BY reports.id")
      while try rows.step() { try order.append(rows.text("name")) }
      return order
    }
    #expect(order.count == 2_001)
    #expect(try #require(order.firstIndex(of: "Z")) < order.count - 1_000)
    #expect(
      try home.account("A").reportsStored == 1_000 && home.account("B").reportsStored == 1_000)
    #expect(
      try home.account("A").reportsLeftOut.amount.count + home.account("A").refused.amount.count > 0
    )
    let counts = try home.queue.counts()
    #expect(counts.stored == 3 && counts.waiting == 0 && counts.working == 0)
  }
}

/// A number for the free disk space.
private final class Free: Sendable {
  private let stored: Mutex<UInt64>
  init(_ value: UInt64) { stored = Mutex(value) }
  var value: UInt64 {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
