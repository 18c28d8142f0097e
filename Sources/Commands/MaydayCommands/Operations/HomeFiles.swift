import Bytes
import Files
import Glibc
import HomeArchive
import Scrubbing
import ServerStore

/// The parts of a home besides its reports that its backup contains: the scrubbing rules, the
/// tokens, the accounts, the audit log, the ignored symbols and the server's queue.
enum HomeFiles {
  /// The most bytes of the scrubbing rules, far above their limit.
  private static let rulesLimit = 16 << 20

  /// - Throws: `FileError`, `DatabaseError`.
  static func all(of home: String) throws -> [ArchivedFile] {
    var files: [ArchivedFile] = []
    let rules = home + "/" + ScrubRules.fileName
    if try isThere(rules) {
      files.append(ArchivedFile(.scrubRules, try ByteView(reading: rules, limit: rulesLimit)))
    }
    guard try ServerStore.exists(in: home) else { return files }
    let server = try ServerStore(opening: home)
    for (kind, table) in tables {
      let lines = try server.lines(of: table)
      if !lines.isEmpty { files.append(ArchivedFile(kind, lines)) }
    }
    return files
  }

  /// The queue of a home's server; `nil` if there never was one.
  ///
  /// - Throws: `FileError`, `DatabaseError`.
  static func queue(of home: String) throws -> IntakeQueue? {
    guard try ServerStore.exists(in: home) else { return nil }
    return IntakeQueue(in: try ServerStore(opening: home))
  }

  /// - Throws: `FileError` if that cannot be determined.
  private static func isThere(_ path: String) throws(FileError) -> Bool {
    if access(path, F_OK) == 0 { return true }
    guard errno == ENOENT else { throw FileError("open", path: path) }
    return false
  }

  /// Writes files of a backup to a home that has none.
  ///
  /// - Throws: `FileError`, `DatabaseError`, ``ServerArchiveError``.
  static func add(_ files: [ArchivedFile], to home: String) throws {
    var server: ServerStore?
    for file in files {
      if let table = tables.first(where: { $0.kind == file.kind })?.table {
        let opened = try server ?? ServerStore(opening: home)
        try opened.load(file.bytes, into: table)
        server = opened
      } else {
        try NewFile.write(file.bytes, to: home + "/" + ScrubRules.fileName, replacing: false)
      }
    }
  }

  private static let tables: [(kind: ArchivedFile.Kind, table: ServerStore.ArchivedTable)] = [
    (.tokens, .tokens), (.accounts, .accounts), (.audit, .audit), (.erasures, .erasures),
    (.ignoredSymbols, .ignoredSymbols), (.alertTargets, .alertTargets), (.alertRules, .alertRules),
  ]
}
