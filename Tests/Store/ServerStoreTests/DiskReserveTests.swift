import Bytes
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import ServerStore

@Suite("The disk reserve")
struct DiskReserveTests {
  private let folder = ScratchFolder()

  private func reserve(
    _ space: DiskSpace, keeping bytes: Int? = nil, home: String = "/srv/mayday"
  ) -> DiskReserve {
    DiskReserve(home: home, bytes: bytes) { (_) throws(FileError) in space }
  }

  @Test("Intake stops before the reserve, and accepted submissions may use half of it")
  func order() throws {
    let reserve = self.reserve(DiskSpace(free: 1_500, total: 1 << 30), keeping: 1_000)
    try reserve.admit(500)
    #expect(throws: IntakeError.reserve(free: 1_500, reserve: 1_000)) { try reserve.admit(501) }
    try self.reserve(DiskSpace(free: 500, total: 1 << 30), keeping: 1_000).admitWork()
    let low = self.reserve(DiskSpace(free: 499, total: 1 << 30), keeping: 1_000)
    #expect(throws: IntakeError.reserve(free: 499, reserve: 500)) { try low.admitWork() }
  }

  @Test("A worker takes no more at once than fits above its half of the reserve")
  func batch() {
    let reserve = self.reserve(DiskSpace(free: 4_500, total: 1 << 30), keeping: 1_000)
    #expect(reserve.batch(atMost: 5_000) == 1_000 && reserve.batch(atMost: 10) == 10)
    let low = self.reserve(DiskSpace(free: 400, total: 1 << 30), keeping: 1_000)
    #expect(low.batch(atMost: 5_000) == 0)
  }

  @Test("The default reserve is a tenth of a small disk, and at most 512 MiB of a large one")
  func usual() throws {
    try reserve(DiskSpace(free: 100, total: 1_000)).admit(0)
    #expect(throws: IntakeError.self) { try reserve(DiskSpace(free: 99, total: 1_000)).admit(0) }
    try reserve(DiskSpace(free: 512 << 20, total: 1 << 40)).admit(0)
    #expect(throws: IntakeError.self) {
      try reserve(DiskSpace(free: (512 << 20) - 1, total: 1 << 40)).admit(0)
    }
  }

  @Test(
    "Any length that a client may announce is only too much", arguments: [Int.max, -1, 1 << 62])
  func extremes(_ size: Int) {
    let full = self.reserve(DiskSpace(free: 1 << 40, total: .max), keeping: .max)
    #expect(throws: IntakeError.self) { try full.admit(size) }
  }

  @Test("A read-only disk, and one without inodes, accept nothing; no path leaves the server")
  func otherReasons() {
    for space in [
      DiskSpace(free: 1 << 40, total: 1 << 41, isReadOnly: true),
      DiskSpace(free: 1 << 40, total: 1 << 41, freeFiles: 5), DiskSpace(free: 0, total: 1 << 41),
    ] {
      let reserve = self.reserve(space, home: "/srv/secret-place")
      let error = #expect(throws: IntakeError.self) { try reserve.admit(0) }
      #expect(error?.answer.contains("secret-place") == false)
      #expect(error?.answer.contains("server") == true)
    }
  }

  @Test("Intake leaves the space that storing all waiting submissions will need")
  func backlog() throws {
    let waiting = Backlog(count: 10, bytes: 100_000)
    let need: UInt64 = 10 << 14 + 200_000
    let free = 1_000 + need
    try reserve(DiskSpace(free: free, total: 1 << 40), keeping: 1_000).admit(0, besides: waiting)
    let reserve = reserve(DiskSpace(free: free - 1, total: 1 << 40), keeping: 1_000)
    #expect(throws: IntakeError.reserve(free: free - 1, reserve: free)) {
      try reserve.admit(0, besides: waiting)
    }
    try reserve.admitWork()
    // Numbers of a database that was changed.
    for extreme in [Backlog(count: .max, bytes: 1), Backlog(count: 1, bytes: .max)] {
      #expect(throws: IntakeError.self) { try reserve.admit(0, besides: extreme) }
    }
    try reserve.admit(0, besides: Backlog(count: .min, bytes: .min))
  }

  @Test("The queue checks before a body and after it, and continues once there is space again")
  func queue() throws {
    let shared = Shared(1 << 20)
    var limits = IntakeLimits()
    limits.reserve = 1_000
    limits.measure = { (_) throws(FileError) in DiskSpace(free: shared.value, total: 1 << 40) }
    let queue = IntakeQueue(in: try ServerStore(checking: folder.path("home")), limits: limits)
    let record = IntakeRecord(
      route: "reports", received: Timestamp(seconds: 1), facts: [:],
      body: ByteView([UInt8](repeating: 1, count: 600)))
    try queue.submit(record)
    // The reserve, the body in a log, and the space for storing this one and the one before it.
    let needed: UInt64 = 1_000 + 600 + 2 * (1_200 + 16 << 10)
    shared.value = needed - 1
    #expect(throws: IntakeError.reserve(free: needed - 1, reserve: needed - 600)) {
      try queue.submit(record)
    }
    #expect(throws: IntakeError.self) { try queue.admit(600) }
    try queue.admit(599)
    try queue.admitFile(of: 600)
    shared.value = needed
    try queue.submit(record)
    #expect(throws: IntakeError.self) { try queue.admit(0) }
    // Once stored, it needs no space any more: after the next count.
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease)
    _ = try queue.next(for: lease, finishing: taken.done)
    #expect(try queue.counts().accepted == 2)
    let other = IntakeQueue(in: queue.store, limits: limits)
    try other.admit(600)
  }

  private final class Shared: Sendable {
    private let stored: Mutex<UInt64>

    init(_ value: UInt64) { stored = Mutex(value) }

    var value: UInt64 {
      get { stored.withLock { $0 } }
      set { stored.withLock { $0 = newValue } }
    }
  }
}
