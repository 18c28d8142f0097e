internal import Bytes
internal import Database
internal import Files
public import Identifiers
public import Leases

/// Submissions, reports and groups in a home folder: a SQLite database and files beside it.
///
/// A call that writes returns when everything is on the disk, and does all or nothing: a process
/// that is killed in between leaves the store as it was. Any number of processes may use one home;
/// within a process a store may be used from any thread.
public final class CrashStore: Sendable {
  /// The home folder.
  public let home: String
  let contents: ContentStore
  private let folder: HomeFolder
  /// The connection for writing.
  let connection: SharedConnection
  let readers: ReaderPool
  /// Cached state of the search index in this process.
  let searchCache = SearchCache()
  /// Cached state of the image records in this process.
  let imageCache = ImageCache()
  /// Whether what is known of submissions that are stored together is read for all of them. Otherwise, each is
  /// stored by itself, which must come to the same.
  let readsAhead: Bool

  /// Opens a home folder, creating it if it is missing, accessible to its owner only.
  ///
  /// - Parameter progress: Called while the index of reports is made, such as of a large home of an older version,
  ///   with the amount that is done and all of it.
  /// - Throws: `FileError` or `DatabaseError` when the folder or the database cannot be opened, is
  ///   damaged, or was made by a newer version of the program.
  public convenience init(
    opening home: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    try self.init(opening: home, options: Connection.Options(), progress: progress)
  }

  /// Opens a home folder with a page cache of a given size in bytes; with less, a large home reads and
  /// writes more.
  public convenience init(
    opening home: String, cacheBytes: Int,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    var options = Connection.Options()
    options.cacheSize = cacheBytes / 3 * 2
    var contentOptions = ContentStore.options
    contentOptions.cacheSize = cacheBytes / 3
    try self.init(
      opening: home, options: options, contentOptions: contentOptions, progress: progress)
  }

  /// - Parameters:
  ///   - options: Options of the main database.
  ///   - contentOptions: Options of the database of small contents.
  ///   - readsAhead: See ``readsAhead``.
  init(
    opening home: String, options: Connection.Options,
    contentOptions: Connection.Options = ContentStore.options, readsAhead: Bool = true,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    self.readsAhead = readsAhead
    folder = try HomeFolder(opening: home)
    self.home = folder.path
    let connection = try Connection(opening: folder.database, options: options)
    try Schema.migrations.apply(to: connection)
    self.connection = SharedConnection(connection)
    readers = ReaderPool(of: folder.database, options: options)
    let blobs = BlobFolder(path: folder.blobs)
    contents = try ContentStore(in: blobs, database: folder.contents, options: contentOptions)
    blobs.removeLeftovers()
    HomeFolder.removeLeftovers(in: folder.caches, suffix: ".tmp")
    try fillSearch(progress)
    try fillStacks()
    try fillNamedImages()
  }

  /// A folder for files that can be rebuilt from the rest, such as symbol caches.
  public var caches: String { folder.caches }

  /// Names that the processes of the home hold.
  public var leases: any Leases { FolderLeases(of: home) }

  /// The texts of the home that its operator writes.
  public var settings: any HomeSettings { SettingsFolder(of: home) }

  /// Runs `body` as one transaction that changes data of an app: all or nothing, and on disk when it returns.
  ///
  /// `body` may run more than once, see ``Connection/transaction(undone:_:)``.
  func write<Result: Sendable>(
    app: String, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try write(.apps([app]), body)
  }

  /// Runs `body` as one transaction that changes data of several apps.
  func write<Result: Sendable>(
    apps: some Sequence<String>, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try write(.apps(Set(apps)), body)
  }

  /// Runs `body` as one transaction that changes only what `scope` allows.
  func write<Result: Sendable>(
    _ scope: WriteScope, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try connection.withLock { connection in
      // Cached results of a transaction become visible to others once it is committed, and are discarded
      // otherwise.
      let forget = {
        self.searchCache.discard()
        self.imageCache.discard()
      }
      defer { forget() }
      let result = try connection.transaction(undone: forget) { database in
        let result = try body(database)
        let outside = scope.tables(outside: database.changedTables)
        if !outside.isEmpty { throw WriteOutsideScope(scope: scope, tables: outside.sorted()) }
        try SearchChunk.settle(atMost: SearchChunk.settledAtOnce, in: database)
        return result
      }
      searchCache.publish()
      imageCache.publish()
      return result
    }
  }

  /// Runs `body` on a snapshot, in which ignored groups whose time is over are open again. It waits
  /// neither for other readers nor for a writer.
  func read<Result: Sendable>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    let now = Self.now
    let result: Result? = try readers.read { database in
      try GroupStatuses.isDue(now: now, in: database) ? nil : try body(database)
    }
    if let result { return result }
    try wakeGroups()
    return try readers.read(body)
  }

  /// Reopens the ignored groups whose time is over.
  private func wakeGroups() throws {
    do {
      try write(.global) { try GroupStatuses.wake(now: Self.now, in: $0) }
    } catch let error as DatabaseError where error.kind == .full {
      // On a full disk reports can still be read; the groups are reopened when there is space.
    }
  }

  /// Runs one transaction, after reopening ignored groups whose time is over.
  func act<Result: Sendable>(
    _ scope: WriteScope, _ body: (borrowing Connection, _ now: Timestamp) throws -> Result
  ) throws -> Result {
    let now = Self.now
    return try write(scope) { database in
      try GroupStatuses.wake(now: now, in: database)
      return try body(database, now)
    }
  }

  /// The time, by the machine's clock.
  public static var now: Timestamp {
    let now = WallClock.now
    return Timestamp(seconds: Int64(now.seconds), nanoseconds: Int32(now.nanoseconds))
  }
}
