extension Schema {
  /// What people decide about groups, and the releases of an app.
  ///
  /// `origins` are what reports, keys and counts belong to. Each group that reports opened
  /// has one of its own; a split makes one for each that it takes from, whose `parent` is that one and
  /// whose `rule` the query that reports must match (none where keys were chosen). `home` is the group
  /// that an origin belongs to, `grp` the one that it shows under now: another when `home` was merged.
  /// What belongs to one origin is never mixed with what belongs to another, and so a merge or a split can
  /// be taken back exactly, however many reports have come meanwhile or have expired since.
  static let actions = """
    CREATE TABLE origins (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      home INTEGER NOT NULL REFERENCES groups,
      grp INTEGER NOT NULL REFERENCES groups,
      parent INTEGER REFERENCES origins,
      split INTEGER REFERENCES group_history,
      rule TEXT,
      first_seen INTEGER,
      last_seen INTEGER
    ) STRICT;
    CREATE INDEX origins_by_group ON origins (grp);
    CREATE INDEX origins_by_home ON origins (home);
    CREATE INDEX origins_by_parent ON origins (parent) WHERE parent IS NOT NULL;
    INSERT INTO origins (id, home, grp, first_seen, last_seen)
    SELECT id, id, id, first_seen, last_seen FROM groups WHERE redirect IS NULL;

    ALTER TABLE reports ADD COLUMN origin INTEGER REFERENCES origins;
    UPDATE reports SET origin = grp;

    ALTER TABLE group_keys ADD COLUMN origin INTEGER REFERENCES origins;
    UPDATE group_keys SET origin = grp;

    CREATE TABLE counters_of_origins (
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
    INSERT INTO counters_of_origins (grp, origin, day, version, build, os, device, count)
    SELECT grp, grp, day, version, build, os, device, count FROM counters;
    DROP TABLE counters;
    ALTER TABLE counters_of_origins RENAME TO counters;

    CREATE TABLE installs_of_origins (
      grp INTEGER NOT NULL REFERENCES groups,
      install BLOB NOT NULL,
      origin INTEGER NOT NULL REFERENCES origins,
      count INTEGER NOT NULL,
      PRIMARY KEY (grp, install, origin)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO installs_of_origins (grp, install, origin, count)
    SELECT grp, install, grp, count FROM group_installs;
    DROP TABLE group_installs;
    ALTER TABLE installs_of_origins RENAME TO group_installs;

    -- 0: the redirect, if there is one, follows from symbols; 1: it was made by hand; 2: both.
    ALTER TABLE groups ADD COLUMN joined INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE groups ADD COLUMN state_time INTEGER;
    ALTER TABLE groups ADD COLUMN state_author TEXT;
    ALTER TABLE groups ADD COLUMN fixed_how TEXT;
    ALTER TABLE groups ADD COLUMN fixed_version TEXT;
    ALTER TABLE groups ADD COLUMN fixed_build TEXT;
    ALTER TABLE groups ADD COLUMN ignore_reports INTEGER;
    ALTER TABLE groups ADD COLUMN ignore_users INTEGER;
    ALTER TABLE groups ADD COLUMN ignore_until INTEGER;
    ALTER TABLE groups ADD COLUMN assignee TEXT;
    CREATE INDEX groups_by_redirect ON groups (redirect) WHERE redirect IS NOT NULL;
    CREATE INDEX groups_by_ignore_until ON groups (ignore_until)
      WHERE ignore_until IS NOT NULL AND redirect IS NULL;

    ALTER TABLE group_history ADD COLUMN data TEXT;
    ALTER TABLE group_history ADD COLUMN undone INTEGER REFERENCES group_history;

    CREATE TABLE releases (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      position INTEGER,
      added INTEGER NOT NULL,
      first_seen INTEGER,
      last_seen INTEGER,
      reports INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (app, version, build)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO releases (app, version, build, added, first_seen, last_seen, reports)
    SELECT app, version, build, min(received), min(time), max(time), count(*) FROM reports
    WHERE version != '' OR build != '' GROUP BY app, version, build;

    """
}
