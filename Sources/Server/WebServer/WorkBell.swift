internal import CrashService
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Tells the worker that there is work: by a byte in its pipe, or, where there is no worker, by ending the
/// wait of who starts one.
package final class WorkBell: Sendable {
  private struct State {
    /// The end of a pipe, which does not block: a byte says that there is work, its closing that it is time
    /// to stop.
    var descriptor: Int32 = -1
    /// Whether somebody has called since there is no process.
    var isCalled = false

    mutating func closeDescriptor() {
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  private let state = Mutex(State())
  private let call = DispatchSemaphore(value: 0)

  /// Says that there is work.
  package func ring() {
    state.withLock { state in
      guard state.descriptor >= 0 else {
        if !state.isCalled {
          state.isCalled = true
          call.signal()
        }
        return
      }
      var byte: UInt8 = 1
      // Under the lock, which keeps the pipe open: a moment later its number may be that of another file. A
      // full pipe says it already.
      _ = write(state.descriptor, &byte, 1)
    }
  }

  /// Rings a new process from here on, which looks for work before it waits: who called until now is heard.
  package func attach(_ descriptor: Int32) {
    state.withLock { state in
      state.closeDescriptor()
      state.descriptor = descriptor
      state.isCalled = false
      while call.wait(timeout: .now()) == .success {}
    }
  }

  /// Tells the process to stop, if there is one.
  package func close() { state.withLock { $0.closeDescriptor() } }

  /// Waits for a call while there is no process.
  ///
  /// - Returns: Whether there was one in time.
  package func wait(seconds: Int) -> Bool {
    call.wait(timeout: .now() + .seconds(seconds)) == .success
  }

  /// Ends the wait, whatever it was for.
  package func endWait() { call.signal() }
}
