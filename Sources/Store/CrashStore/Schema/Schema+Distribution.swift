extension Schema {
  /// Releases as files, whom they are for, how they are rolled out, and what clients reported back.
  ///
  /// Every table has the app, so that what belongs to an app can be deleted. Secrets of clients and testers
  /// are stored as their SHA-256.
  ///
  /// - `rollout_looks`: the looks at roll-outs, with the counts of sessions.
  /// - `known_fix_answers`: how often clients learned that a release fixes a crash of theirs, by day and by
  ///   the way in which they asked.
  /// - `distribution_generation`: one row, whose number grows with each change of the other tables.
  static let distribution = """
    CREATE TABLE artefacts (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      package TEXT NOT NULL,
      file_name TEXT NOT NULL,
      size INTEGER NOT NULL,
      digest BLOB NOT NULL,
      md5 TEXT NOT NULL,
      icon BLOB,
      uploaded INTEGER NOT NULL,
      enabled INTEGER NOT NULL DEFAULT 1,
      notes TEXT NOT NULL DEFAULT '',
      branch TEXT,
      commit_hash TEXT,
      commit_message TEXT,
      ed_signature TEXT,
      dsa_signature TEXT,
      upload TEXT,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX artefacts_by_upload ON artefacts (upload) WHERE upload IS NOT NULL;
    CREATE INDEX artefacts_by_release ON artefacts (app, version, build);

    CREATE TABLE artefact_destinations (
      app INTEGER NOT NULL REFERENCES apps,
      artefact INTEGER NOT NULL,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      mandatory INTEGER NOT NULL,
      added INTEGER NOT NULL,
      PRIMARY KEY (app, artefact, kind, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distribution_groups (
      app INTEGER NOT NULL REFERENCES apps,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      public INTEGER NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (app, id),
      UNIQUE (app, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE testers (
      app INTEGER NOT NULL REFERENCES apps,
      id TEXT NOT NULL,
      email TEXT NOT NULL,
      invited INTEGER NOT NULL,
      accepted INTEGER,
      PRIMARY KEY (app, id),
      UNIQUE (app, email)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distribution_members (
      app INTEGER NOT NULL REFERENCES apps,
      distribution_group TEXT NOT NULL,
      tester TEXT NOT NULL,
      PRIMARY KEY (app, distribution_group, tester)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tester_secrets (
      hash TEXT NOT NULL PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      tester TEXT NOT NULL,
      kind TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tester_secrets_by_tester ON tester_secrets (app, tester);

    CREATE TABLE update_installs (
      app INTEGER NOT NULL REFERENCES apps,
      artefact INTEGER NOT NULL,
      install TEXT NOT NULL,
      distribution_group TEXT NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (app, artefact, install)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE release_rollouts (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      percent INTEGER NOT NULL,
      pause TEXT,
      changed INTEGER NOT NULL,
      PRIMARY KEY (app, version, build)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rollout_looks (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      crashed INTEGER NOT NULL,
      sessions INTEGER NOT NULL,
      crashed_installs INTEGER NOT NULL,
      former TEXT NOT NULL,
      former_crashed INTEGER NOT NULL,
      former_sessions INTEGER NOT NULL,
      PRIMARY KEY (app, version, build, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distribution_history (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      time INTEGER NOT NULL,
      author TEXT NOT NULL,
      event TEXT NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX distribution_history_by_release ON distribution_history (app, version, build);

    CREATE TABLE known_fix_answers (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      day INTEGER NOT NULL,
      way TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (app, version, build, day, way)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE update_settings (
      app INTEGER NOT NULL REFERENCES apps,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (app, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distribution_generation (
      id INTEGER PRIMARY KEY,
      number INTEGER NOT NULL
    ) STRICT;
    INSERT INTO distribution_generation (id, number) VALUES (1, 0);

    """
}
