extension Schema {
  /// The grouping rules that apps chose; see ``CrashStore/Rules``.
  ///
  /// - `rule_sets`: what was chosen, by the order of choice; the last is in force. `text` is the app's own
  ///   rules, `event` says how the choice came about, `source` which number a roll-back went to, and
  ///   `restores` whether that is still to be finished.
  /// - `rule_set_groups`, `rule_set_origins`, `rule_set_keys`: groups, and where keys led, before that
  ///   number was chosen, so that a roll-back finds them.
  static let ruleSets = """
    CREATE TABLE rule_sets (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      time INTEGER NOT NULL,
      author TEXT NOT NULL,
      event TEXT NOT NULL,
      source INTEGER,
      builtin TEXT NOT NULL,
      text TEXT NOT NULL,
      digest TEXT NOT NULL,
      restores INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rule_set_groups (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      title TEXT NOT NULL,
      main_key TEXT NOT NULL,
      rules TEXT NOT NULL,
      provisional INTEGER NOT NULL,
      redirect INTEGER REFERENCES groups,
      joined INTEGER NOT NULL,
      state TEXT NOT NULL,
      state_time INTEGER,
      state_author TEXT,
      fixed_how TEXT,
      fixed_version TEXT,
      fixed_build TEXT,
      ignore_reports INTEGER,
      ignore_users INTEGER,
      ignore_until INTEGER,
      assignee TEXT,
      PRIMARY KEY (app, number, grp)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rule_set_origins (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      origin INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      parent INTEGER,
      PRIMARY KEY (app, number, origin)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rule_set_keys (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      key TEXT NOT NULL,
      origin INTEGER NOT NULL,
      rules TEXT NOT NULL,
      is_main INTEGER NOT NULL,
      is_left INTEGER NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (app, number, key)
    ) STRICT, WITHOUT ROWID;

    """
}
