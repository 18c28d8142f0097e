import CrashModel
import Database
import TestSupport
import Testing

@testable import CrashStore

@Suite("Homes of the first version")
struct OldHomeTests {
  private let folder = ScratchFolder()

  /// A home as the first version left it: two groups, and one merged into another.
  private func makeOldHome() throws {
    let folder = try HomeFolder(opening: folder.path("home"))
    let connection = try Connection(opening: folder.database)
    try Migrations(application: Schema.application, steps: [Schema.version1]).apply(to: connection)
    try connection.execute(
      """
      INSERT INTO apps (id, name, prefix, intake_key, last_group, created)
        VALUES (1, 'Tern', 'TERN', 'key', 3, 0);
      INSERT INTO submissions (id, app, digest, source, received, bytes)
        VALUES (1, 1, x'01', 'a', 50, 3);
      INSERT INTO groups (id, app, number, title, main_key, category, rules, provisional, kind,
        reason_time, reports, installs, first_seen, last_seen, exemplar, exemplar_symbols, redirect,
        created)
      VALUES
        (1, 1, 1, 'one', 'k1', 'signal', 'v1', 0, 'crash', 20, 2, 1, 10, 20, 'r1', 2, NULL, 0),
        (2, 1, 2, 'two', 'k2', 'signal', 'v1', 0, 'crash', 30, 1, 0, 30, 30, 'r3', 2, NULL, 0),
        (3, 1, 3, 'gone', 'p', 'signal', 'v1', 1, 'crash', 10, 0, 0, 10, 10, 'r1', 2, 1, 0);
      INSERT INTO group_keys (app, key, grp, rules, is_main, created) VALUES
        (1, 'k1', 1, 'v1', 1, 0), (1, 'p', 1, 'v1', 1, 0), (1, 'k2', 2, 'v1', 1, 0);
      INSERT INTO reports (id, name, submission, position, app, grp, format, kind, version, build,
        time, received, os, device, install, signature, key, category, rules, provisional, symbols,
        document)
      VALUES
        (1, 'r1', 1, 0, 1, 1, 'apple-ips', 'crash', '1.0', '7', 10, 50, '', '', x'aa', 'one', 'k1',
          'signal', 'v1', 0, 2, x'01'),
        (2, 'r2', 1, 1, 1, 1, 'apple-ips', 'crash', '1.1', '8', 20, 50, '', '', NULL, 'one', 'k1',
          'signal', 'v1', 0, 2, x'02'),
        (3, 'r3', 1, 2, 1, 2, 'apple-ips', 'crash', '', '', 30, 50, '', '', NULL, 'two', 'k2',
          'signal', 'v1', 0, 2, x'03');
      INSERT INTO counters (grp, day, version, build, os, device, count) VALUES
        (1, 0, '1.0', '7', '', '', 1), (1, 0, '1.1', '8', '', '', 1), (2, 0, '', '', '', '', 1);
      INSERT INTO group_installs (grp, install, count) VALUES (1, x'aa', 1);
      INSERT INTO group_history (grp, time, author, event, detail)
        VALUES (1, 0, 'mayday', 'opened', 'one');
      """)
  }

  @Test("It is migrated with all of its data, and accepts actions")
  func migrated() throws {
    try makeOldHome()
    let store = try CrashStore(checking: folder.path("home"))
    try StoreFixture.check(store)
    #expect(try store.groups.list().items.map(\.id).sorted() == ["TERN-1", "TERN-2"])
    #expect(try store.releases.list(of: "Tern").map(\.release.name) == ["1.0 (7)", "1.1 (8)"])
    #expect(try store.releases.list(of: "Tern").map(\.reports) == [1, 1])
    #expect(throws: ActionError.oneBySymbols("TERN-3", with: "TERN-1")) {
      try store.triage.unmerge(["TERN-3"], by: "ann")
    }
    try store.triage.merge(["TERN-2"], into: "TERN-3", by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 3)
    try StoreFixture.check(store)
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(
      try store.triage.resolve(["TERN-1"], by: "ann")[0].status.fix?.release?.name == "1.1 (8)")
    try StoreFixture.check(store)
    try store.reports.add([
      try StoreFixture.prepared("new", [StoreFixture.report("k1", version: "2.0")])
    ])
    #expect(try store.groups.get("TERN-1").state == .regressed)
    try StoreFixture.check(store)
  }
}
