public import Bytes
internal import Crypto
internal import Database
internal import JSON

/// Fills a new home from a dump: rows, then contents, then ``finish()``. Everything is checked, since it may
/// come from anywhere.
public final class StoreLoader {
  /// Maximum size of a row, as a line of JSON, in bytes.
  public static let rowLimit = 32 << 20
  /// Bytes of contents that are written at once.
  private static let batch = 8 << 20

  private let home: String
  private let folder: HomeFolder
  private let connection: SharedConnection
  private let contents: ContentStore
  private var tables: [String: LoadedTable] = [:]
  private var waiting: [Content] = []
  private var waitingBytes = 0
  /// Whether those are debug files, which come last.
  private var loadsDebugFiles = false

  private struct LoadedTable {
    let columns: [TableColumn]
    var rows = 0
  }

  /// - Parameters:
  ///   - home: A folder that is empty or missing.
  ///   - schema: The version of the schema of the rows.
  /// - Throws: ``LoadError/unknownSchema(_:newest:)``; `FileError`, `DatabaseError`.
  public init(making home: String, schema: Int) throws {
    guard (1...Schema.migrations.version).contains(schema) else {
      throw LoadError.unknownSchema(schema, newest: Schema.migrations.version)
    }
    folder = try HomeFolder(opening: home)
    self.home = folder.path
    let database = try Connection(opening: folder.database)
    try Schema.migrations.apply(to: database, upTo: schema)
    try database.stopCheckingReferences()
    connection = SharedConnection(database)
    contents = try ContentStore(
      in: BlobFolder(path: folder.blobs), database: folder.contents, options: ContentStore.options)
  }

  /// Adds rows, each a line of JSON with all columns of the table and no others.
  ///
  /// - Throws: ``LoadError``; `DatabaseError`.
  public func load(rows lines: ByteView, into table: String) throws {
    guard StoreTable.kept.contains(where: { $0.name == table }) else {
      throw LoadError.unknownTable(table)
    }
    var loaded =
      try tables[table]
      ?? LoadedTable(columns: connection.withLock { try TableColumn.all(of: table, in: $0) })
    let columns = loaded.columns
    let before = loaded.rows
    let sql =
      "INSERT INTO \(table) (" + columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      + ") VALUES (" + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    loaded.rows += try connection.withLock { database in
      try database.transaction { database in
        var count = 0
        var start = 0
        while start < lines.count {
          let line = Self.line(of: lines, from: start)
          start += line.count + 1
          count += 1
          let values = try Self.values(line, columns, table: table, number: before + count)
          do throws(DatabaseError) {
            let statement = try database.prepare(sql, values)
            while try statement.step() {}
          } catch {
            guard error.kind == .constraint || error.kind == .other else { throw error }
            throw LoadError.row(table: table, number: before + count, reason: error.message)
          }
        }
        return count
      }
    }
    tables[table] = loaded
  }

  /// Returns the number of rows loaded into a table.
  public func rowCount(of table: String) -> Int { tables[table]?.rows ?? 0 }

  private static func line(of lines: ByteView, from start: Int) -> ByteView {
    var end = start
    while end < lines.count && lines[end] != UInt8(ascii: "\n") { end += 1 }
    return lines.clamped(start..<end)
  }

  private static let limits = JSONLimits(
    depth: 2, bytes: rowLimit, nodes: 200, stringBytes: rowLimit)

  private static func values(
    _ line: ByteView, _ columns: [TableColumn], table: String, number: Int
  ) throws -> [any SQLBindable] {
    func wrong(_ reason: String) -> LoadError { .row(table: table, number: number, reason: reason) }
    let parse: JSONParse
    do {
      parse = try JSONDocument.parse(line, limits: limits)
    } catch {
      throw wrong(error.description)
    }
    guard parse.cut == nil, parse.end == line.count, let members = parse.value.object else {
      throw wrong("not one JSON object")
    }
    if let unknown = members.first(where: { member in
      !columns.contains { $0.name == member.key }
    }) {
      throw wrong("unknown column '\(unknown.key)'")
    }
    guard members.count <= columns.count else { throw wrong("a column appears twice") }
    return try columns.map { column in
      guard let value = parse.value[column.name] else {
        throw wrong("'\(column.name)' is missing")
      }
      guard let value = column.value(value) else {
        throw wrong("'\(column.name)' has an invalid value")
      }
      return value
    }
  }

  /// Adds a content under its SHA-256.
  ///
  /// - Parameter isPlain: Whether it is a debug file; these come after all others.
  /// - Throws: ``LoadError/content(_:)`` when its digest is another, ``LoadError/repeated(_:)`` for one that is
  ///   not a debug file and came before; `FileError`, `DatabaseError`, `CompressionError`.
  public func load(content bytes: ByteView, digest: [UInt8], isPlain: Bool) throws {
    guard SHA256.digest(of: bytes) == digest else {
      throw LoadError.content(SHA256.hex(digest))
    }
    if isPlain, !loadsDebugFiles {
      try flush()
      loadsDebugFiles = true
    }
    let content =
      isPlain ? Content(keeping: bytes, digest: digest) : try Content(bytes)
    waiting.append(content)
    waitingBytes += content.bytes.count
    if waitingBytes > Self.batch || waiting.count > 1000 { try flush() }
  }

  private func flush() throws {
    let repeated = try contents.write(waiting)
    if !loadsDebugFiles, let digest = repeated.first {
      throw LoadError.repeated(SHA256.hex(digest))
    }
    waiting.removeAll()
    waitingBytes = 0
  }

  /// Checks that everything is consistent, and migrates the home to the current schema. It is on the disk
  /// when this returns.
  ///
  /// - Returns: The store.
  /// - Throws: ``LoadError``; `FileError`, `DatabaseError`.
  public func finish() throws -> CrashStore {
    try flush()
    let contents = contents
    try connection.withLock { database in
      try Schema.migrations.apply(to: database)
      try database.run(
        "UPDATE arrivals SET last = (SELECT coalesce(max(arrival), 0) FROM debug_files)")
      // The index of reports is built when the store is opened.
      try database.run(
        "INSERT INTO search_queue SELECT id FROM reports WHERE true ON CONFLICT DO NOTHING")
      // A partial dump has no stacks of keys: they are noted when the store is opened.
      if rowCount(of: "key_stacks") == 0 { try database.run("UPDATE reports SET variant = ''") }
      try StoreCheck(contents: contents).run(in: database)
    }
    return try CrashStore(opening: home)
  }
}
