import Synchronization
import Testing
import Workers

@Suite struct WorkersTests {
  @Test("Results come in the order of the work", arguments: [1, 2, 7])
  func map(width: Int) {
    #expect(Workers.map(count: 100, width: width) { $0 * $0 } == (0..<100).map { $0 * $0 })
    #expect(Workers.map(count: 0, width: width) { $0 } == [])
  }

  @Test("A stream keeps the order and the bound", arguments: zip([1, 2, 4], [1, 3, 16]))
  func stream(width: Int, ahead: Int) {
    let inFlight = Mutex((now: 0, most: 0))
    var results: [Int] = []
    let stream = WorkStream<Int, Int>(width: width, ahead: ahead) { number in
      inFlight.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      return number * 2
    } consume: { result in
      inFlight.withLock { $0.now -= 1 }
      results.append(result)
    }
    for number in 0..<200 { stream.bring(number) }
    stream.finish()
    #expect(results == (0..<200).map { $0 * 2 })
    let most = inFlight.withLock { $0.most }
    #expect(most <= max(width, ahead))
  }

  @Test("Heavy items wait for each other; one above the capacity runs alone")
  func weights() {
    let inFlight = Mutex((now: 0, most: 0))
    var results: [Int] = []
    let stream = WorkStream<Int, Int>(width: 4, ahead: 16, capacity: 10) { weight in
      inFlight.withLock {
        $0.now += weight
        $0.most = max($0.most, $0.now)
      }
      return weight
    } consume: { weight in
      inFlight.withLock { $0.now -= weight }
      results.append(weight)
    }
    let pieces = (0..<200).map { [1, 4, 9, 25][$0 % 4] }
    for weight in pieces { stream.bring(weight, weight: weight) }
    stream.finish()
    #expect(results == pieces)
    #expect(inFlight.withLock { $0.most } == 25)
  }

  @Test("A worker's stack is deep enough for demangling")
  func stack() {
    @Sendable @inline(never) func depth(_ left: Int) -> Int { left == 0 ? 0 : depth(left - 1) + 1 }
    #expect(Workers.map(count: 2, width: 2) { _ in depth(20_000) } == [20_000, 20_000])
  }
}
