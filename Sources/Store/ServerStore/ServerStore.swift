internal import Bytes
internal import Files
internal import Glibc
public import Leases
package import Database

/// The server's data in a home folder, in addition to the reports: submissions that wait to be processed,
/// tokens, and the audit log.
///
///     server.db            the database, with its -wal and -shm beside it
///     intake/<time>.log    submissions, until they are done: see ``IntakeLog``
///     intake/<name>.body   large bodies
///     intake/worker-<n>    held by worker n as long as it lives; servers have server-<n>
///     uploads/<id>/        the received data of an upload in several steps
///
/// It is a separate database, so that accepting submissions does not wait for storing others. Any number
/// of processes may use one home, and any thread of each.
public final class ServerStore: Sendable {
  /// The home folder.
  public let home: String
  let connection: SharedConnection
  let bodies: BodyFolder

  /// Size of the page cache in bytes: rows are added and deleted in order.
  private static let cacheSize = 8 << 20

  /// - Parameter home: The home folder; it is created if it is missing.
  /// - Throws: `FileError` or `DatabaseError` when the folder or the database cannot be opened, is
  ///   damaged, or was made by a newer version of the program.
  public convenience init(opening home: String) throws {
    var options = Connection.Options()
    options.cacheSize = Self.cacheSize
    try self.init(opening: home, options: options)
  }

  /// Whether a home has the database of a server; opening it would create one.
  ///
  /// - Throws: `FileError` if that cannot be determined.
  public static func exists(in home: String) throws -> Bool {
    let path = home + "/server.db"
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw FileError("open", path: path) }
    return false
  }

  /// Names that the processes of the home hold.
  public var leases: any Leases { FolderLeases(of: home) }

  /// Room for what requests send.
  public var scratch: ScratchSpace { ScratchSpace(of: home) }

  /// - Parameter options: Options of the database.
  init(opening home: String, options: Connection.Options) throws {
    self.home = home
    try Folder.makeAll(home)
    try Folder.make(home + "/intake")
    let path = home + "/server.db"
    // SQLite gives the files beside a database the permissions of the database. An existing one is not
    // opened: closing it would release the locks that this process has on it, and another process that
    // ends would delete the log under our connections (sqlite.org/howtocorrupt.html, 2.2).
    try OpenFile.makeUnlessThere(path)
    let connection = try Connection(opening: path, options: options)
    try ServerSchema.migrations.apply(to: connection)
    self.connection = SharedConnection(connection)
    bodies = BodyFolder(path: home + "/intake")
  }

  /// Runs `body` as one transaction: all or nothing, and on disk when it returns. It may run more than
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
