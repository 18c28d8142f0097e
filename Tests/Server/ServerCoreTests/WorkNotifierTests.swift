import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore

@Suite struct WorkNotifierTests {
  @Test("A notifier that is closed while others notify writes to no other file")
  func reusedDescriptor() {
    let trial = Trial()
    runThreads(4) { trial.run() }
    #expect(trial.rounds == Trial.rounds)
    #expect(trial.strays == 0)
  }

  @Test("A notification reaches the process, or the threads that wait if there is none")
  func heard() throws {
    let bell = WorkNotifier()
    bell.ring()
    #expect(bell.wait(seconds: 0))
    #expect(!bell.wait(seconds: 0))
    let pipe = try #require(Pipe())
    bell.attach(pipe.writing)
    bell.ring()
    #expect(pipe.hasByte())
    bell.close()
    // The end of the pipe is not a byte.
    #expect(!pipe.hasByte())
    close(pipe.reading)
  }

  /// A pipe with non-blocking ends.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init?() {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      (reading, writing) = (ends[0], ends[1])
    }

    func hasByte() -> Bool {
      var byte: UInt8 = 0
      return read(reading, &byte, 1) == 1
    }
  }

  /// One thread opens and closes the notifier's pipe, the others notify.
  private final class Trial: Sendable {
    static let rounds = 2_000

    private struct State {
      var threads = 0
      var rounds = 0
      var strays = 0
    }

    private let bell = WorkNotifier()
    private let state = Mutex(State())

    var rounds: Int { state.withLock { $0.rounds } }
    var strays: Int { state.withLock { $0.strays } }

    func run() {
      let isFirst = state.withLock { state in
        state.threads += 1
        return state.threads == 1
      }
      guard isFirst else {
        while rounds < Self.rounds { bell.ring() }
        return
      }
      for _ in 0..<Self.rounds {
        // The next files get the descriptors that became free.
        if let pipe = Pipe() {
          bell.attach(pipe.writing)
          bell.close()
          close(pipe.reading)
        }
        guard let other = Pipe() else { continue }
        sched_yield()
        let isStray = other.hasByte()
        close(other.reading)
        close(other.writing)
        state.withLock { state in
          state.rounds += 1
          state.strays += isStray ? 1 : 0
        }
      }
      // If there are no pipes, the others must end all the same.
      state.withLock { $0.rounds = max($0.rounds, Self.rounds) }
    }
  }
}
