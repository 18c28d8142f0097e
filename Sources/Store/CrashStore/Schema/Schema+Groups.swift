extension Schema {
  /// Groups, their histories, and the keys that lead to them.
  ///
  /// - `groups.redirect`: the group that this one was merged into. `joined`: why, see ``GroupJoin``.
  /// - `group_history.is_late`: the line is about reports that were there before, so that no alert is sent.
  /// - `group_keys.is_left`: every report that had the key was reprocessed and got another.
  /// - `key_readings`: by which other keys reports with a key could be read, the nearest first. Where `weak`
  ///   is 1, the reading does not hold between two keys of one build. Where it is 2, `reading` is a build
  ///   that the key was met in, as `~VERSION (BUILD)`.
  ///
  /// `origins` are what reports, keys and counts belong to. Each group that reports opened has one of its
  /// own; a split makes one for each that it takes from, whose `parent` is that one and whose `rule` the
  /// query that reports must match (none where keys were chosen). `home` is the group that an origin belongs
  /// to, `grp` the one that it shows under now: another when `home` was merged. What belongs to one origin is
  /// never mixed with what belongs to another, so a merge or a split can be undone exactly, however many
  /// reports have arrived or expired since.
  static let groups = """
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
      state_time INTEGER,
      state_author TEXT,
      fixed_how TEXT,
      fixed_version TEXT,
      fixed_build TEXT,
      ignore_reports INTEGER,
      ignore_users INTEGER,
      ignore_until INTEGER,
      assignee TEXT,
      reports INTEGER NOT NULL DEFAULT 0,
      installs INTEGER NOT NULL DEFAULT 0,
      versions INTEGER NOT NULL DEFAULT 0,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      exemplar TEXT NOT NULL,
      exemplar_symbols INTEGER NOT NULL,
      redirect INTEGER REFERENCES groups,
      joined INTEGER NOT NULL DEFAULT 0,
      created INTEGER NOT NULL,
      UNIQUE (app, number)
    ) STRICT;
    CREATE INDEX groups_by_last_seen ON groups (last_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_by_first_seen ON groups (first_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_by_redirect ON groups (redirect) WHERE redirect IS NOT NULL;
    CREATE INDEX groups_by_ignore_until ON groups (ignore_until)
      WHERE ignore_until IS NOT NULL AND redirect IS NULL;
    CREATE INDEX groups_by_reports ON groups (reports DESC, last_seen DESC) WHERE redirect IS NULL;
    CREATE INDEX groups_of_app_by_reports ON groups (app, reports DESC, last_seen DESC)
      WHERE redirect IS NULL;
    CREATE INDEX groups_by_fix ON groups (app, fixed_version) WHERE fixed_version IS NOT NULL;

    CREATE TABLE group_history (
      id INTEGER PRIMARY KEY,
      grp INTEGER NOT NULL REFERENCES groups,
      time INTEGER NOT NULL,
      author TEXT NOT NULL,
      event TEXT NOT NULL,
      detail TEXT NOT NULL,
      version TEXT,
      build TEXT,
      is_late INTEGER NOT NULL DEFAULT 0,
      data TEXT,
      undone INTEGER REFERENCES group_history
    ) STRICT;
    CREATE INDEX group_history_by_group ON group_history (grp, id);
    CREATE INDEX group_history_by_release ON group_history (version) WHERE version IS NOT NULL;

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

    CREATE TABLE group_keys (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      origin INTEGER NOT NULL REFERENCES origins,
      rules TEXT NOT NULL,
      is_main INTEGER NOT NULL,
      is_left INTEGER NOT NULL DEFAULT 0,
      created INTEGER NOT NULL,
      PRIMARY KEY (app, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX group_keys_by_group ON group_keys (grp);
    CREATE INDEX group_keys_by_origin ON group_keys (origin);

    CREATE TABLE key_readings (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      reading TEXT NOT NULL,
      position INTEGER NOT NULL,
      weak INTEGER NOT NULL,
      PRIMARY KEY (app, key, reading)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX key_readings_by_reading ON key_readings (app, reading, weak);

    """
}
