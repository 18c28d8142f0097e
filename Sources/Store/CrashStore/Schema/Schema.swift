internal import Database

/// The tables, as steps that are only ever added.
///
/// Times are microseconds since 1970 in UTC, days are whole days since then. Text that a report did
/// not give is empty where it is part of a key, and NULL elsewhere.
enum Schema {
  /// "Mayd", the mark of our databases.
  static let application: Int32 = 0x4d61_7964

  static let migrations = Migrations(
    application: application,
    steps: [
      version1, version2, appCenter, erasure, received, debugFileApps, refusedAttachments,
      incidents, formerPrefixes, withoutTriggers, dumps, packages, distribution, releaseFigures,
      rolloutLooks,
      remoteConfigurations, stacks, ruleSets, likeness, weakReadings, ownedLists,
      lateEvents, stacksOfFunctions, dailyLimit, sessions, debugFileBundles,
      buildsOfKeys,
    ])

  /// The parts, each in a file of its own, by name.
  private static let version2 = [
    actions,
    attachments,
    late,
    ledger,
    search,
    spread,
    verdicts,
    watching,
  ].joined()

  static let version1 = """
    CREATE TABLE apps (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL UNIQUE,
      intake_key TEXT NOT NULL UNIQUE,
      last_group INTEGER NOT NULL DEFAULT 0,
      created INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE submissions (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      digest BLOB NOT NULL,
      source TEXT NOT NULL,
      received INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      problem TEXT,
      UNIQUE (app, digest)
    ) STRICT;
    CREATE INDEX submissions_by_digest ON submissions (digest);

    CREATE TABLE groups (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      title TEXT NOT NULL,
      main_key TEXT NOT NULL,
      category TEXT NOT NULL,
      rules TEXT NOT NULL,
      provisional INTEGER NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT,
      reason_time INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open',
      reports INTEGER NOT NULL DEFAULT 0,
      installs INTEGER NOT NULL DEFAULT 0,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      exemplar TEXT NOT NULL,
      exemplar_symbols INTEGER NOT NULL,
      redirect INTEGER REFERENCES groups,
      created INTEGER NOT NULL,
      UNIQUE (app, number)
    ) STRICT;
    CREATE INDEX groups_by_reports ON groups (reports DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_by_last_seen ON groups (last_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_by_first_seen ON groups (first_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_of_app_by_reports ON groups (app, reports DESC) WHERE redirect IS NULL;

    CREATE TABLE group_keys (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      rules TEXT NOT NULL,
      is_main INTEGER NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (app, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_keys_by_group ON group_keys (grp);

    CREATE TABLE reports (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      submission INTEGER NOT NULL REFERENCES submissions,
      position INTEGER NOT NULL,
      app INTEGER NOT NULL REFERENCES apps,
      grp INTEGER NOT NULL REFERENCES groups,
      format TEXT NOT NULL,
      kind TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      time INTEGER NOT NULL,
      received INTEGER NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      install BLOB,
      reason TEXT,
      signature TEXT NOT NULL,
      key TEXT NOT NULL,
      category TEXT NOT NULL,
      rules TEXT NOT NULL,
      provisional INTEGER NOT NULL,
      symbols INTEGER NOT NULL,
      document BLOB NOT NULL,
      UNIQUE (submission, position)
    ) STRICT;
    CREATE INDEX reports_by_time ON reports (time DESC);
    CREATE INDEX reports_of_app_by_time ON reports (app, time DESC);
    CREATE INDEX reports_of_group_by_time ON reports (grp, time DESC);

    CREATE TABLE counters (
      grp INTEGER NOT NULL REFERENCES groups,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, day, version, build, os, device)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE group_installs (
      grp INTEGER NOT NULL REFERENCES groups,
      install BLOB NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, install)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE waiting (
      debug_id TEXT NOT NULL,
      report INTEGER NOT NULL REFERENCES reports,
      PRIMARY KEY (debug_id, report)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX waiting_by_report ON waiting (report);

    CREATE TABLE group_history (
      id INTEGER PRIMARY KEY,
      grp INTEGER NOT NULL REFERENCES groups,
      time INTEGER NOT NULL,
      author TEXT NOT NULL,
      event TEXT NOT NULL,
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX group_history_by_group ON group_history (grp, id);

    CREATE TABLE debug_files (
      id INTEGER PRIMARY KEY,
      debug_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      code_id TEXT,
      architecture TEXT NOT NULL,
      digest BLOB NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      added INTEGER NOT NULL,
      UNIQUE (debug_id, kind, digest)
    ) STRICT;
    CREATE INDEX debug_files_by_code_id ON debug_files (code_id);

    CREATE TABLE refused (
      app TEXT NOT NULL,
      source TEXT NOT NULL,
      reason TEXT NOT NULL,
      digest BLOB NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (app, source, reason, digest)
    ) STRICT, WITHOUT ROWID;
    """
}
