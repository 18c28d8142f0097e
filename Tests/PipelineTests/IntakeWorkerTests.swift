import Bytes
import CrashModel
import CrashStore
import Grouping
import Pipeline
import ServerStore
import TestSupport
import Testing

@Suite struct IntakeWorkerTests {
  private let folder = ScratchFolder()

  @Test("What a worker filed before it was killed counts as filed, and not as known before")
  func killed() throws {
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    let queue = IntakeQueue(in: server)
    let report = try ByteView(
      mapping: SampleFolder.samples + "/apple-ips/abort-1.0.0-macos-x86_64.ips")
    func submit(_ second: Int64) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeRoute.reports, received: Timestamp(seconds: second),
          facts: [IntakeFact.app: "Tern"], body: report))
    }
    func worker() throws -> IntakeWorker {
      try IntakeWorker(from: queue, of: server, into: store, signer: Signer(rules: .v1), width: 1)
    }
    try submit(1_700_000_000)
    do {
      // Its lock goes with it, as when it is killed: what it filed is not noted.
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
    #expect(counts.accepted == 2 && counts.filed == 1 && counts.duplicates == 1)
    #expect(try store.ledgerTotals().reportsFiled == 1)
    let figures = try queue.figures()
    #expect(figures.filing.count == 2 && figures.work.count == 2)
  }
}
