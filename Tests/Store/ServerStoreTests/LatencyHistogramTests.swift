import Bytes
import Database
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite struct LatencyHistogramTests {
  @Test(
    "A time counts up to the next bound, itself included; none is below zero",
    arguments: [(-5, 0), (0, 0), (1_000, 0), (1_001, 1), (7_200_000_000, 17), (7_200_000_001, 18)])
  func bounds(time: Int, place: Int) {
    var spread = LatencyHistogram()
    spread.add(microseconds: time)
    #expect(spread.counts.firstIndex(of: 1) == place && spread.count == 1)
    #expect(spread.total == max(0, time))
  }

  @Test("The stored counts equal those that were added")
  func kept() throws {
    let folder = ScratchFolder()
    let queue = IntakeQueue(in: try ServerStore(checking: folder.path + "/home"))
    let lease = try WorkerLease(in: queue.store)
    var expected = LatencyHistogram()
    for (index, time) in [900, 2_000, 9_000_000, 9_000_000_000, 1].enumerated() {
      try queue.submit(
        IntakeRecord(route: "reports", received: Timestamp(seconds: 5), body: ByteView([1])))
      let taken = try queue.next(for: lease)
      let done = taken.map {
        FinishedRecord(
          $0, isNew: index % 2 == 0, work: time, finished: Timestamp(microseconds: 5_000_000 + time)
        )
      }
      _ = try queue.next(for: lease, finishing: done)
      expected.add(microseconds: time)
    }
    let figures = try queue.figures()
    #expect(figures.work == expected && figures.filing == expected)
    #expect(figures.counts.stored == 3 && figures.counts.duplicates == 2)
  }
}
