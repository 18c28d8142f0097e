internal import Files
package import Database

/// What a server keeps in a home folder beside the reports: submissions that wait to be processed,
/// tokens, and who changed what.
///
///     server.db            the database, with its -wal and -shm beside it
///     intake/<time>.log    what came in, until it is done: see ``IntakeLog``
///     intake/<name>.body   bodies that are large
///     intake/worker-<n>    held by worker n as long as it lives; servers have server-<n>
///     uploads/<id>/        what came of an upload in several steps
///
/// A database of its own: what comes in does not wait for what is being stored. Any number of
/// processes may use one home, and any thread of each.
public final class ServerStore: Sendable {
  /// The home folder.
  public let home: String
  let connection: SharedConnection
  let bodies: BodyFolder

  /// Bytes of pages that are kept in memory: rows come and go in their order.
  private static let cacheSize = 8 << 20

  /// - Parameter home: The home folder; it is made when it is not there.
  /// - Throws: `FileError` or `DatabaseError` when the folder or the database cannot be opened, is
  ///   damaged, or was made by a newer version of the program.
  public convenience init(opening home: String) throws {
    var options = Connection.Options()
    options.cacheSize = Self.cacheSize
    try self.init(opening: home, options: options)
  }

  /// - Parameter options: For the database.
  init(opening home: String, options: Connection.Options) throws {
    self.home = home
    try Folder.makeAll(home)
    try Folder.make(home + "/intake")
    let path = home + "/server.db"
    // SQLite gives the files beside a database the permissions of the database. One that is there is
    // not opened: closing it would give up the locks that this process has on it, and another process
    // that ends would take the log away under our connections (sqlite.org/howtocorrupt.html, 2.2).
    try OpenFile.makeUnlessThere(path)
    let connection = try Connection(opening: path, options: options)
    try ServerSchema.migrations.apply(to: connection)
    self.connection = SharedConnection(connection)
    bodies = BodyFolder(path: home + "/intake")
  }

  /// Runs `body` as one transaction: all or nothing, and on the disk when it returns. It may run more than
  /// once, see ``Connection/transaction(undone:_:)``.
  package func write<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try connection.withLock { try $0.transaction(body) }
  }

  package func read<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try connection.withLock { try $0.snapshot(body) }
  }
}
