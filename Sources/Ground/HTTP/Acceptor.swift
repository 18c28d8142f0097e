internal import Bytes
internal import CMicrohttpd
internal import Files
internal import Glibc
internal import Synchronization

/// Accepts clients and hands them to the library.
///
/// The library's own listening cannot be stopped safely: with epoll, `MHD_quiesce_daemon` and the polling
/// threads may each remove the socket from the set, and the library ends the process where it was removed
/// already.
///
/// `Sendable`: the library queues clients under a lock of its own.
final class Acceptor: @unchecked Sendable {
  let listener: Listener
  private let daemons: Daemons
  private let connections: Connections
  private let limit: Int
  private let limitPerNetwork: Int
  private let isStopping = Atomic<Bool>(false)
  private let wake: EventDescriptor
  private let thread = Mutex<ServerThread?>(nil)

  /// - Parameters:
  ///   - limit: The most open connections, apart from a few just accepted; further clients wait in the
  ///     socket's queue.
  ///   - limitPerNetwork: How many may be open from one address, or one IPv6 network; 0 for no limit. Further
  ///     ones are closed.
  init(
    _ listener: Listener, _ daemons: Daemons, _ connections: Connections, limit: Int,
    limitPerNetwork: Int
  ) throws(HTTPError) {
    self.listener = listener
    self.daemons = daemons
    self.connections = connections
    self.limit = limit
    self.limitPerNetwork = limitPerNetwork
    do throws(FileError) {
      wake = try EventDescriptor()
    } catch {
      throw .start(error.description)
    }
    // Another process may accept the client for which this one was woken.
    let flags = fcntl(listener.descriptor, F_GETFL)
    _ = fcntl(listener.descriptor, F_SETFL, flags | O_NONBLOCK)
    let thread = try ServerThread { [self] in run() }
    self.thread.withLock { $0 = thread }
  }

  /// Stops accepting clients.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    listener.shut()
    // An inherited socket is not shut down when the server stops.
    wake.ring()
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.join()
  }

  /// Waits for a change of the connections, once no new ones are accepted.
  func waitForChange(milliseconds: Int32, unless isOver: () -> Bool) {
    connections.waitForChange(wake, milliseconds: milliseconds, unless: isOver)
  }

  private func run() {
    while !isStopping.load(ordering: .relaxed) {
      guard wake.wait(for: listener.descriptor) else { continue }
      while !isStopping.load(ordering: .relaxed) {
        guard connections.count < limit else {
          connections.waitForChange(wake) { connections.count < limit }
          break
        }
        guard takeOne() else { break }
      }
    }
  }

  /// - Returns: Whether there may be another one.
  private func takeOne() -> Bool {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let client = cmhd_accept(listener.descriptor, &address, &size)
    guard client >= 0 else {
      // A client that hung up before it was accepted says nothing about the next.
      if errno == ECONNABORTED || errno == EINTR { return true }
      // Where descriptors or memory are short, only time helps.
      if errno != EAGAIN { wake.wait(milliseconds: 10) }
      return false
    }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let network = PeerAddress(address)?.network.bytes ?? []
        // A descriptor beyond the table of our reader cannot be guarded.
        guard client < CMHD_DESCRIPTORS,
          connections.admit(client, from: network, limit: limitPerNetwork)
        else {
          close(client)
          return
        }
        // Where it refuses the client, it closes its socket.
        if !daemons.add(client, address, size) { connections.forget(client) }
      }
    }
    return true
  }
}
