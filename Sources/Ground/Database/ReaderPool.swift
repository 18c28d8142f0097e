internal import Files
internal import Synchronization

/// Connections that only read, side by side with each other and with the one that writes.
///
/// They are opened when they are needed. The first keeps its pages in memory for the next reader; the
/// others, which are needed while it is busy, give theirs back at once and are closed when they were not
/// needed for a while.
public final class ReaderPool: Sendable {
  /// The most connections.
  public static let limit = 4
  /// Seconds after which a connection that was not needed is closed.
  private static let patience = 10.0

  private let path: String
  private let options: Connection.Options
  private let slots: [Slot]
  /// Where the next reader waits when all are busy.
  private let turn = Atomic<Int>(0)

  private final class Slot: Sendable {
    let reader = Mutex(Reader())
  }

  private struct Reader {
    var connection: SharedConnection?
    var lastUse = 0.0
  }

  /// - Parameter options: Those of the connection that writes; the readers have half of its memory.
  public init(of path: String, options: Connection.Options) {
    self.path = path
    self.options = options
    slots = (0..<Self.limit).map { _ in Slot() }
  }

  /// Runs `body` so that all it reads is of one moment, whatever is written meanwhile.
  ///
  /// - Throws: What `body` throws; ``DatabaseError`` when no connection can be opened.
  public func read<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    for index in slots.indices {
      let result = try slots[index].reader.withLockIfAvailable { reader in
        try run(body, on: &reader, index)
      }
      if let result { return result }
    }
    let index = turn.wrappingAdd(1, ordering: .relaxed).newValue.magnitude % UInt(slots.count)
    return try slots[Int(index)].reader.withLock { try run(body, on: &$0, Int(index)) }
  }

  private func run<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result, on reader: inout Reader, _ index: Int
  ) throws -> Result {
    let connection: SharedConnection
    if let open = reader.connection {
      connection = open
    } else {
      var options = options
      options.cacheSize = index == 0 ? options.cacheSize / 2 : options.cacheSize / 16
      connection = SharedConnection(try Connection(reading: path, options: options))
      reader.connection = connection
    }
    let now = SteadyClock.seconds
    reader.lastUse = now
    if index == 0 { closeIdle(at: now) }
    return try connection.withLock { connection in
      defer { if index > 0 { connection.releaseMemory() } }
      return try connection.snapshot(body)
    }
  }

  private func closeIdle(at now: Double) {
    for slot in slots.dropFirst() {
      slot.reader.withLockIfAvailable { reader in
        if now - reader.lastUse > Self.patience { reader.connection = nil }
      }
    }
  }

  /// The cost of each statement on the connections that are open; see ``Connection/statementCosts``.
  package var statementCosts: [String: StatementCost] {
    get throws {
      try slots.reduce(into: [:]) { costs, slot in
        let found = try slot.reader.withLock { reader in
          try reader.connection?.withLock { $0.statementCosts }
        }
        costs.merge(found ?? [:]) { $0 + $1 }
      }
    }
  }

  /// How many connections are open.
  public var openCount: Int {
    slots.count { $0.reader.withLockIfAvailable { $0.connection != nil } ?? true }
  }
}
