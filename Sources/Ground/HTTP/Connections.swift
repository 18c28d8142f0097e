internal import Files
internal import Glibc
internal import Synchronization

/// The state of one open connection that its deadlines depend on.
final class ClientConnection: Sendable {
  struct State {
    /// The deadline on the monotonic clock, in nanoseconds; `nil` while a handler has the connection.
    var deadline: UInt64?
    var isBusy = false
    /// Whether more of a request is expected.
    var isReceiving = true
    /// Whether the client had hung up at the last check.
    var isGone = false
    var isExpired = false
    /// The body that is being received.
    var body: Arrival?
    /// Whether the body arrived too slowly.
    var isSlow = false
  }

  /// How many bytes of a body have arrived, now and at the last check.
  struct Arrival {
    var count = 0
    var countThen = 0
    /// The time of the last check on the monotonic clock, in nanoseconds.
    var then: UInt64
  }

  let descriptor: Int32
  /// `nil` where it is not known.
  let peer: ConnectionPeer?
  let state: Mutex<State>
  let reader: RequestReader

  init(_ descriptor: Int32, peer: ConnectionPeer?, deadline: UInt64, headLimit: Int) {
    self.descriptor = descriptor
    self.peer = peer
    reader = RequestReader(headLimit: headLimit)
    state = Mutex(State(deadline: deadline))
  }

  func expect(by deadline: UInt64?, isBusy: Bool) {
    state.withLock {
      $0.deadline = deadline
      $0.isBusy = isBusy
      $0.isReceiving = $0.isReceiving || !isBusy
      $0.isGone = false
    }
  }

  func beginBody() {
    let now = UInt64(SteadyClock.nanoseconds)
    state.withLock { state in
      state.body = Arrival(then: now)
      state.isSlow = false
    }
  }

  func receive(_ count: Int) { state.withLock { $0.body?.count += count } }

  func endReceiving() {
    state.withLock { state in
      state.isReceiving = false
      state.body = nil
    }
  }

  var isSlow: Bool { state.withLock { $0.isSlow } }

  var isExpired: Bool { state.withLock { $0.isExpired } }
}

/// All open connections. Every descriptor here is open: it is closed after its connection is removed.
final class Connections: Sendable {
  private let open = Mutex<[ObjectIdentifier: ClientConnection]>([:])
  /// The thread that waits for a connection to open, to close or to become idle.
  private let waiting = Mutex<EventDescriptor?>(nil)

  func add(_ connection: ClientConnection) {
    open.withLock { $0[ObjectIdentifier(connection)] = connection }
    noteChange()
  }

  func remove(_ connection: ClientConnection) {
    _ = open.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
    forget(connection.descriptor)
    noteChange()
  }

  /// Notes that a connection has opened, closed or become idle.
  func noteChange() { waiting.withLock { $0?.ring() } }

  /// Waits for a connection to open, to close or to become idle.
  ///
  /// - Parameters:
  ///   - wake: Ends the wait. Only one may wait at a time.
  ///   - milliseconds: The longest wait; negative for no limit.
  ///   - isOver: Whether there is nothing to wait for. A change after this check ends the wait.
  func waitForChange(
    _ wake: EventDescriptor, milliseconds: Int32 = -1, unless isOver: () -> Bool
  ) {
    waiting.withLock { $0 = wake }
    defer { waiting.withLock { $0 = nil } }
    if !isOver() { wake.wait(milliseconds: milliseconds) }
  }

  /// Counts a client, from before the library has it until its connection closes.
  ///
  /// - Parameter limit: 0 for no limit.
  /// - Returns: Whether its network may have one more connection.
  func admit(_ descriptor: Int32, from network: [UInt8], limit: Int) -> Bool {
    clients.withLock { clients in
      // Left by a connection that the library abandoned before it began.
      clients.remove(descriptor)
      guard limit == 0 || network.isEmpty || clients.counts[network, default: 0] < limit else {
        return false
      }
      clients.networks[descriptor] = network
      clients.counts[network, default: 0] += 1
      return true
    }
  }

  func forget(_ descriptor: Int32) { clients.withLock { $0.remove(descriptor) } }

  private struct Clients {
    var networks: [Int32: [UInt8]] = [:]
    var counts: [[UInt8]: Int] = [:]

    mutating func remove(_ descriptor: Int32) {
      guard let network = networks.removeValue(forKey: descriptor) else { return }
      let rest = (counts[network] ?? 1) - 1
      counts[network] = rest == 0 ? nil : rest
    }
  }

  private let clients = Mutex(Clients())

  var count: Int { open.withLock { $0.count } }

  /// Ends connections whose deadline has passed.
  func expire(at now: UInt64) { end { $0.deadline.map { $0 <= now } ?? false } }

  /// Marks connections whose body arrived more slowly than `least` bytes a second for `window` nanoseconds.
  /// The next bytes of the body are answered with a refusal; a client that sends none has one second.
  func slow(at now: UInt64, least: Int, window: UInt64) {
    guard least > 0, window > 0 else { return }
    let seconds = Double(window) / 1e9
    open.withLock { open in
      for connection in open.values {
        connection.state.withLock { state in
          guard let body = state.body, !state.isSlow, now >= body.then, now - body.then >= window
          else { return }
          if Double(body.count - body.countThen) < Double(least) * seconds {
            state.isSlow = true
            state.deadline = min(state.deadline ?? .max, now + 1_000_000_000)
          } else {
            state.body?.countThen = body.count
            state.body?.then = now
          }
        }
      }
    }
  }

  /// Ends connections whose client hung up in the middle of a request.
  ///
  /// With edge-triggered epoll the library misses an end that arrives together with the last bytes, and would
  /// keep the connection until the idle timeout. Two checks in a row must see it, so that a client that only
  /// stops sending gets its answer.
  func endGone() {
    open.withLock { open in
      let all = Array(open.values)
      // POLLRDHUP, which is declared for _GNU_SOURCE only.
      var polls = all.map { pollfd(fd: $0.descriptor, events: 0x2000, revents: 0) }
      guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return }
      for (connection, poll) in zip(all, polls) where poll.revents != 0 {
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        guard recv(connection.descriptor, &byte, 1, flags) == 0 else { continue }
        let ends = connection.state.withLock { state in
          guard state.isReceiving else { return false }
          defer { state.isGone = true }
          return state.isGone
        }
        if ends { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Ends idle connections.
  func endIdle() { end { !$0.isBusy } }

  func endAll() { end { _ in true } }

  private func end(where isOver: (inout ClientConnection.State) -> Bool) {
    open.withLock { open in
      for connection in open.values {
        let ends = connection.state.withLock { state in
          guard isOver(&state) else { return false }
          state.isExpired = true
          state.deadline = nil
          return true
        }
        if ends { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
      }
    }
  }
}

extension Duration {
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    guard !whole.overflow, seconds >= 0 else { return seconds < 0 ? 0 : .max / 2 }
    return min(whole.partialValue + UInt64(attoseconds / 1_000_000_000), .max / 2)
  }
}
