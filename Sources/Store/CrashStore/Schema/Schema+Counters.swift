extension Schema {
  /// How many reports of a group each release, system, device, day and installation has; see
  /// ``CountersTable``.
  ///
  /// `counters` has a row for each combination. The others are sums over it: `group_versions` by release,
  /// `group_days` by day, `group_spread` by value of a field, which is `os` or `device`.
  static let counters = """
    CREATE TABLE counters (
      grp INTEGER NOT NULL REFERENCES groups,
      origin INTEGER NOT NULL REFERENCES origins,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, version, build, day, os, device, origin)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE group_versions (
      grp INTEGER NOT NULL REFERENCES groups,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, version, build)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_versions_by_release ON group_versions (version, build);

    CREATE TABLE group_spread (
      grp INTEGER NOT NULL REFERENCES groups,
      field TEXT NOT NULL,
      value TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, field, value)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE group_days (
      grp INTEGER NOT NULL REFERENCES groups,
      day INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE group_installs (
      grp INTEGER NOT NULL REFERENCES groups,
      install BLOB NOT NULL,
      origin INTEGER NOT NULL REFERENCES origins,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, install, origin)
    ) STRICT, WITHOUT ROWID;

    """
}
