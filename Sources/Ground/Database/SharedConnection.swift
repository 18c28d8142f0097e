internal import Synchronization

/// A connection for any number of threads, one at a time.
///
/// `@unchecked Sendable`: "SQLite can be safely used by multiple threads provided that no single
/// database connection nor any object derived from database connection, such as a prepared statement,
/// is used in two or more threads at the same time" (sqlite.org/threadsafe.html). The connection is
/// reached under the lock only, and what is derived from it cannot leave: statements are not copied.
public final class SharedConnection: @unchecked Sendable {
  private let lock = Mutex(())
  private let connection: Connection

  public init(_ connection: consuming Connection) { self.connection = connection }

  /// Runs `body` while no other thread uses the connection.
  ///
  /// - Throws: What `body` throws.
  public func withLock<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try lock.withLock { _ in try body(connection) }
  }
}
