import Bytes
import CrashStore
import HomeArchive
import ServerStore

/// The parts of a home besides its reports that its backup contains: the scrubbing rules, the
/// tokens, the accounts, the audit log, the ignored symbols and the server's queue.
enum HomeFiles {
  /// The most bytes of the scrubbing rules, far above their limit.
  private static let rulesLimit = 16 << 20

  /// - Throws: `FileError`, `DatabaseError`.
  static func all(of home: String) throws -> [ArchivedFile] {
    var files: [ArchivedFile] = []
    if let rules = try SettingsFolder(of: home).scrubRules(limit: rulesLimit) {
      files.append(ArchivedFile(.scrubRules, rules))
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
        try SettingsFolder(of: home).setScrubRules(file.bytes, replacing: false)
      }
    }
  }

  private static let tables: [(kind: ArchivedFile.Kind, table: ServerStore.ArchivedTable)] = [
    (.tokens, .tokens), (.accounts, .accounts), (.audit, .audit), (.erasures, .erasures),
    (.ignoredSymbols, .ignoredSymbols), (.alertTargets, .alertTargets), (.alertRules, .alertRules),
  ]
}
