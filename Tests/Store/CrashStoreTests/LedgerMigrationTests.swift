import Bytes
import CrashModel
import Database
import TestSupport
import Testing

@testable import CrashStore

/// Homes made before there was a ledger.
@Suite struct LedgerMigrationTests {
  private let folder = ScratchFolder()

  /// A home of version 1 with two reports of one group, and a refused file.
  private func makeOldHome() throws -> String {
    let home = folder.path("home")
    let place = try HomeFolder(opening: home)
    let submissions = try ["a", "b"].map { try Content(compressing: ByteView($0.utf8)) }
    let document = try Content(
      compressing: ByteView("{\"schema\": 1, \"format\": \"apple-ips\"}".utf8))
    let contents = try Connection(opening: place.contents)
    try contents.execute(
      """
      PRAGMA auto_vacuum = NONE; VACUUM;
      CREATE TABLE contents (digest BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;
      PRAGMA application_id = 0x4d617962; PRAGMA user_version = 1;
      """)
    for content in submissions + [document] {
      try contents.run(
        "INSERT INTO contents (digest, bytes) VALUES (?1, ?2)", content.digest,
        content.bytes.array)
    }
    let database = try Connection(opening: place.database)
    try database.execute("PRAGMA auto_vacuum = NONE; VACUUM;")
    try Schema.migrations.apply(to: database, upTo: 1)
    try database.execute(
      """
      INSERT INTO apps (id, name, prefix, intake_key, last_group, created)
        VALUES (1, 'Tern', 'TERN', 'key', 1, 0);
      INSERT INTO groups (id, app, number, title, main_key, category, rules, provisional, kind,
        reason_time, reports, installs, first_seen, last_seen, exemplar, exemplar_symbols, created)
        VALUES (1, 1, 1, 't', 'k', 'signal', 'v1', 0, 'crash', 9, 2, 1, 7, 9, 'r', 2, 0);
      INSERT INTO group_keys (app, key, grp, rules, is_main, created)
        VALUES (1, 'k', 1, 'v1', 1, 0);
      INSERT INTO counters (grp, day, version, build, os, device, count)
        VALUES (1, 0, '1.0', '', '', '', 2);
      INSERT INTO group_installs (grp, install, count) VALUES (1, x'07', 2);
      INSERT INTO refused (app, source, reason, digest, time)
        VALUES ('', 'x', 'no report', x'01', 5), ('Tern', 'x', 'no report', x'01', 5);
      """)
    for (number, content) in submissions.enumerated() {
      let id = ReportID.id(digest: content.digest, app: "Tern", position: 0)
      try database.run(
        """
        INSERT INTO submissions (id, app, digest, source, received, bytes)
        VALUES (?1, 1, ?2, 'x', 86400000000, 1)
        """, number + 1, content.digest)
      try database.run(
        """
        INSERT INTO reports (name, submission, position, app, grp, format, kind, version, build,
          time, received, os, device, install, signature, key, category, rules, provisional, symbols,
          document)
        VALUES (?1, ?2, 0, 1, 1, 'apple-ips', 'crash', '1.0', '', ?3, 86400000000, '', '', x'07', 't',
          'k', 'signal', 'v1', 0, 2, ?4)
        """, id, number + 1, 7 + 2 * number, document.digest)
      try database.run("UPDATE groups SET exemplar = ?1 WHERE ?2 = 1", id, number)
    }
    return home
  }

  @Test("The ledger begins with the existing reports, and its sums agree")
  func ledger() throws {
    let store = try CrashStore(checking: makeOldHome())
    let ledger = try store.ledger.get()
    #expect(ledger.faults == [])
    #expect(ledger.accounts.map(\.app) == [nil, "Tern"])
    #expect(ledger.accounts[1].received == LedgerAmount(count: 3, bytes: 2))
    #expect(ledger.accounts[1].reportsStored == 2)
    try StoreFixture.check(store)
  }

  @Test("Reports expire, contents are deleted, and the databases shrink from then on")
  func expiry() throws {
    let store = try CrashStore(checking: makeOldHome())
    let now = Timestamp(seconds: 86_400 * 10)
    let counts = try store.retention.expire(Retention(days: 1), of: "Tern", at: now)
    #expect(counts.map(\.reports) == [1])
    // Contents from before their ages were recorded are old.
    #expect(try store.retention.sweep().contents == 1)
    try store.giveBackSpace()
    for database in [store.connection, store.contents.database] {
      #expect(try database.withLock { try $0.integer("PRAGMA auto_vacuum") } == 2)
      #expect(try database.withLock { try $0.integer("PRAGMA freelist_count") } == 0)
    }
    #expect(try store.reports.get(store.groups.get("TERN-1").exemplar).summary.group == "TERN-1")
    try StoreFixture.check(store)
    let next = try CrashStore(checking: folder.path("home"))
    #expect(try next.ledger.get() == store.ledger.get())
  }
}
