internal import Files
internal import CMicrohttpd
internal import Glibc
internal import Synchronization

/// The library's servers: the one that new clients go to, and those before it, which had another
/// certificate and end with their last connection. The library reads certificates only when it starts.
///
/// A pointer is used under the lock, and not after its server was stopped.
final class Daemons: Sendable {
  /// `@unchecked Sendable`: the library's functions that are called here take its own locks.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
    /// When it got its last client, which it may not have counted yet.
    var retired: UInt64 = 0
  }

  private struct State {
    var current: Daemon
    var retired: [Daemon] = []
  }

  /// In nanoseconds.
  private static let settling: UInt64 = 2_000_000_000

  private let state: Mutex<State>

  init(_ daemon: OpaquePointer) { state = Mutex(State(current: Daemon(pointer: daemon))) }

  /// Hands a client to the newest.
  ///
  /// - Returns: Whether it takes it; else its socket is closed.
  func add(_ client: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Bool {
    state.withLock { MHD_add_connection($0.current.pointer, client, address, size) == .YES }
  }

  /// Hands clients that come from now on to another one.
  func replace(with daemon: OpaquePointer) {
    let daemon = Daemon(pointer: daemon)
    state.withLock { state in
      state.retired.append(
        Daemon(pointer: state.current.pointer, retired: UInt64(SteadyClock.nanoseconds)))
      state.current = daemon
    }
  }

  /// Stops those that have no connection any more.
  func stopUnused() {
    let unused = state.withLock { state in
      let now = UInt64(SteadyClock.nanoseconds)
      let index = state.retired.partition {
        now > $0.retired + Self.settling && cmhd_connection_count($0.pointer) == 0
      }
      let unused = Array(state.retired[index...])
      state.retired.removeSubrange(index...)
      return unused
    }
    for daemon in unused { MHD_stop_daemon(daemon.pointer) }
  }

  /// Stops all; nothing else may be called afterwards.
  func stop() {
    let all = state.withLock { state in
      let all = state.retired + [state.current]
      state.retired = []
      return all
    }
    for daemon in all { MHD_stop_daemon(daemon.pointer) }
  }
}
