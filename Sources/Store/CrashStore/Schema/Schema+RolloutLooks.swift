extension Schema {
  /// The looks at roll-outs, with the counts of sessions, and how often clients learned that a release fixes
  /// a crash of theirs: by day and by the way in which they asked.
  static let rolloutLooks = """
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

    CREATE TABLE known_fix_answers (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      day INTEGER NOT NULL,
      way TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (app, version, build, day, way)
    ) STRICT, WITHOUT ROWID;

    """
}
