import Bytes
import Database
import Glibc
import Grouping
import Identifiers
import Pipeline
import ServerStore
import TestSupport
import Testing

@testable import CrashStore

@Suite struct IntakeWorkerTests {
  private let folder = ScratchFolder()

  @Test("Reports that a killed worker stored count as stored, and not as known before")
  func killed() throws {
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    let queue = IntakeQueue(in: server)
    let report = try ByteView(
      mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips"))
    func submit(_ second: Int64) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: Timestamp(seconds: second),
          facts: [IntakeFact.app: "Tern"], body: report))
    }
    func worker() throws -> IntakeWorker {
      try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    }
    try submit(1_700_000_000)
    do {
      // Its lock is released, as when it is killed: the reports it stored are not noted.
      let first = try worker()
      #expect(try first.step().submissions == 1)
    }
    #expect(try queue.counts().working == 1)
    #expect(try queue.reclaim() == (1, 0))
    try submit(1_700_000_001)
    let second = try worker()
    while try !second.step().isNothing {}
    try second.finish()
    let counts = try queue.counts()
    #expect(counts.accepted == 2 && counts.stored == 1 && counts.duplicates == 1)
    #expect(try store.ledger.totals().reportsStored == 1)
    let figures = try queue.figures()
    #expect(figures.filing.count == 2 && figures.work.count == 2)
  }

  @Test("A submission too large for the disk does not delay later ones")
  func tooLarge() throws {
    let home = folder.path("home")
    let server = try ServerStore(opening: home)
    let queue = IntakeQueue(in: server)
    var random = SplitMix(seed: 7)
    // Nothing makes it smaller, and there is less space for contents.
    let noise = String(
      decoding: (0..<400_000).map { _ in UInt8(33 + random.next() % 90) }, as: UTF8.self)
    try submit(report(0) + "\n" + noise, 1_700_000_000, to: queue)
    for number in 1...5 { try submit(report(number), 1_700_000_000 + Int64(number), to: queue) }
    do {
      var contents = ContentStore.options
      contents.maximumPages = 16
      let small = try CrashStore(opening: home, options: .init(), contentOptions: contents)
      let worker = try IntakeWorker(
        from: queue, of: server, into: small, signer: Signer(rules: .standard), width: 1)
      var failures = 0
      for _ in 0..<20 {
        do { _ = try worker.step() } catch let error as DatabaseError {
          #expect(error.kind == .full)
          failures += 1
        }
      }
      #expect(failures > 1)
      #expect(try small.ledger.totals().reportsStored == 5)
      #expect(try queue.counts().stored == 5 && queue.counts().quarantined == 0)
    }
    // With enough space it is stored, too.
    try work(try CrashStore(opening: home), server, queue)
    #expect(try queue.counts().stored == 6 && queue.counts().waiting == 0)
  }

  private static let session = """
    {"type":"startSession","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "timestamp":"2026-03-02T10:12:00Z","device":{"appVersion":"1.2.0"}}
    """
  private static let attachment = """
    {"type":"errorAttachment","id":"C3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "errorId":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","fileName":"log.txt",
    "contentType":"text/plain","data":"aGVsbG8="}
    """
  private static let event = """
    {"type":"event","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","id":"e1","name":"tap",
    "timestamp":"2026-03-02T10:12:01Z"}
    """
  private static let crash = """
    {"type":"managedError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
    "timestamp":"2026-03-02T10:12:01Z","exception":{"type":"E","frames":[{"className":"a.B",
    "methodName":"c","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}}
    """

  /// An attachment may find its report, wait for it, or arrive before the report is stored again.
  @Test(
    "What an SDK sent counts as stored however often a worker is killed, and then as known",
    arguments: [
      [[session]], [[event]], [[attachment]], [[crash]], [[crash], [attachment]],
      [[attachment], [crash]],
    ])
  func killedLogs(requests: [[String]]) throws {
    let (store, server, queue) = try home()
    func send(_ logs: [String], _ second: Int64) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.appCenter, received: Timestamp(seconds: second),
          facts: [IntakeFact.secret: "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"],
          body: ByteView("{\"logs\":[\(logs.joined(separator: ","))]}".utf8)))
    }
    for (number, logs) in requests.enumerated() { try send(logs, 1_772_500_000 + Int64(number)) }
    do {
      let first = try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
      #expect(try first.step().submissions == requests.count)
    }
    #expect(try queue.reclaim() == (requests.count, 0))
    try work(store, server, queue)
    for (number, logs) in requests.enumerated() { try send(logs, 1_772_600_000 + Int64(number)) }
    try work(store, server, queue)
    let counts = try queue.counts()
    #expect(counts.stored == requests.count && counts.duplicates == requests.count)
  }

  // MARK: Erasure with waiting submissions

  private static let key = "C26AC060-5927-4EAA-80A5-CD405B82C40D"

  /// A home, its queue, and a report of the installation ``key`` with another incident each time.
  private func home() throws -> (CrashStore, ServerStore, IntakeQueue) {
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    return (store, server, IntakeQueue(in: server))
  }

  private func report(_ number: Int, install: String = Self.key) throws -> String {
    let text = try ByteView(
      mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ).text
    return text.replacing(Self.key, with: install) + String(repeating: "\n", count: number)
  }

  private func submit(_ text: String, _ second: Int64, to queue: IntakeQueue) throws {
    try queue.submit(
      IntakeRecord(
        route: IntakeProtocol.reports, received: Timestamp(seconds: second),
        facts: [IntakeFact.app: "Tern"], body: ByteView(text.utf8)))
  }

  private func work(
    _ store: CrashStore, _ server: ServerStore, _ queue: IntakeQueue
  ) throws {
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    while try !worker.step().isNothing {}
    try worker.finish()
  }

  @Test("Earlier submissions are stored and erased; others, and later ones, stay")
  func erased() throws {
    let (store, server, queue) = try home()
    let other = "11111111-5927-4EAA-80A5-CD405B82C40D"
    try submit(report(1), 1_700_000_000, to: queue)
    try submit(report(2, install: other), 1_700_000_001, to: queue)
    // Several in one, one of which is erased.
    try submit("no report", 1_700_000_002, to: queue)
    let asked = try queue.erase(.install, named: [Self.key])
    #expect(asked.pending == 3 && asked.mark == 3)
    try submit(report(3), 4_000_000_000, to: queue)
    try work(store, server, queue)
    let left = try store.reports.list().map(\.received.seconds).sorted()
    #expect(left == [1_700_000_001, 4_000_000_000])
    #expect(try store.ledger.get().faults.isEmpty)
    // As long as earlier quarantined submissions are left, it is remembered.
    #expect(try queue.erasures().map(\.name) == [Self.key])
    for record in try queue.quarantined() { #expect(try queue.discard(record.id)) }
    try work(store, server, queue)
    #expect(try queue.erasures().isEmpty)
    // The same bytes are refused, other ones are new.
    try submit(report(1), 4_000_000_001, to: queue)
    try submit(report(4), 4_000_000_002, to: queue)
    try work(store, server, queue)
    #expect(try store.reports.list().count == 3)
  }

  @Test("A worker killed before it deletes stored submissions leaves that to the next")
  func killedWhileErasing() throws {
    let (store, server, queue) = try home()
    try submit(report(1), 1_700_000_000, to: queue)
    do {
      let first = try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
      #expect(try first.step().reports == 1)
    }
    // As if it had been killed between the two: stored, and not yet deleted.
    _ = try queue.erase(.install, named: [Self.key])
    #expect(try store.reports.list().count == 1)
    #expect(try queue.reclaim() == (1, 0))
    try work(store, server, queue)
    #expect(try store.reports.list().isEmpty && queue.erasures().isEmpty)
    #expect(try store.ledger.get().faults.isEmpty)
  }

  @Test("An SDK's submission is not stored at all; a user is matched by the scrubbed name")
  func facts() throws {
    let (store, server, queue) = try home()
    let file = try #require(fopen(store.home + "/scrub.conf", "w"))
    fputs("[scrub]\nuse = email\n", file)
    fclose(file)
    let log = """
      {"logs":[{"type":"managedError","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","timestamp":"2026-03-02T10:12:01Z",
      "userId":"jo@example.com","exception":{"type":"E","frames":[{"className":"a.B",
      "methodName":"c","lineNumber":3}]},"device":{"osName":"Android","appVersion":"1.2.0"}},
      {"type":"startSession","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "timestamp":"2026-03-02T10:12:00Z","device":{"appVersion":"1.2.0"}}]}
      """
    func send(_ install: String) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.appCenter, received: Timestamp(seconds: 1_772_500_000),
          facts: [
            IntakeFact.secret: "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10", IntakeFact.install: install,
          ], body: ByteView(log.replacing("0A11", with: install.suffix(4)).utf8)))
    }
    try send("0D1E2F3A-0000-4000-8000-000000000001")
    try send("0D1E2F3A-0000-4000-8000-000000000002")
    _ = try queue.erase(.install, named: ["0d1e2f3a-0000-4000-8000-000000000001"])
    try work(store, server, queue)
    #expect(try store.reports.list().count == 1)
    #expect(try store.ledger.get().accounts.first?.received.count == 1)
    #expect(try queue.counts().erased == 1 && queue.counts().stored == 1)
    // The same user from a third one, accepted before the user is erased.
    try send("0D1E2F3A-0000-4000-8000-000000000003")
    _ = try queue.erase(.user, named: ["jo@example.com"])
    try work(store, server, queue)
    #expect(try store.reports.list().isEmpty && queue.erasures().isEmpty)
  }
}
