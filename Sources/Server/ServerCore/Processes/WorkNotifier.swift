internal import CrashService
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Notifies the worker of work: by a byte in its pipe, or, if there is no worker, by ending the wait of the
/// thread that starts one.
package final class WorkNotifier: Sendable {
  private struct State {
    /// The non-blocking end of a pipe: a byte means that there is work, closing it means to stop.
    var descriptor: Int32 = -1
    /// Whether there was a call since the process ended.
    var isCalled = false

    mutating func closeDescriptor() {
      if descriptor >= 0 { Glibc.close(descriptor) }
      descriptor = -1
    }
  }

  private let state = Mutex(State())
  private let call = DispatchSemaphore(value: 0)

  /// Reports that there is work.
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
      // Under the lock, which keeps the pipe open: a moment later its number may belong to another file. A
      // full pipe already means that there is work.
      _ = write(state.descriptor, &byte, 1)
    }
  }

  /// Attaches a new process, which looks for work before it waits: earlier calls are covered.
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

  /// Ends any wait.
  package func endWait() { call.signal() }
}
