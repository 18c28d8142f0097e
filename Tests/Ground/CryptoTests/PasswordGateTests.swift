import Crypto
import Dispatch
import Synchronization
import Testing

@Suite("Many simultaneous sign-ins") struct PasswordGateTests {
  @Test("Two passwords are hashed at a time, some wait, others are refused")
  func flood() {
    let gate = PasswordGate(width: 2, queue: 3, patience: 30)
    let counts = Mutex((now: 0, most: 0, done: 0, refused: 0))
    let open = DispatchSemaphore(value: 0)
    let group = DispatchGroup()
    for _ in 0..<20 {
      group.enter()
      DispatchQueue(label: "client").async {
        do {
          try gate.hash {
            counts.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            open.wait()
            counts.withLock {
              $0.now -= 1
              $0.done += 1
            }
          }
        } catch {
          counts.withLock { $0.refused += 1 }
          // All refusals come before the first hash is finished.
          if counts.withLock({ $0.refused }) == 15 { for _ in 0..<20 { open.signal() } }
        }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 60) == .success)
    #expect(counts.withLock { $0.most } <= 2)
    #expect(counts.withLock { $0.done } == 5)
    #expect(counts.withLock { $0.refused } == 15)
  }

  @Test("A wait that takes too long is refused; finished hashes free their places")
  func patience() throws {
    let gate = PasswordGate(width: 1, queue: 1, patience: 0)
    let first = try gate.hash {
      #expect(throws: PasswordError.busy) { _ = try gate.hash { 0 } }
      return 1
    }
    #expect(try gate.hash { first + 1 } == 2)
  }
}
