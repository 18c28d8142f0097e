extension Schema {
  /// Stacks, and keys that are linked because theirs are alike.
  ///
  /// - `stacks`: the stacks of reports as grouping sees them, each once for an app.
  /// - `key_stacks`: the stacks of keys, with what they are compared by. Its index has the order in which
  ///   stacks with the same functions are compared: without that, SQLite takes the order of the keys, and
  ///   reads all stacks of the app for each new one.
  /// - `stack_lists`: the lists by which like stacks are found. `stack` is a row of `key_stacks`, but not a
  ///   foreign key: for each stack that is deleted, SQLite would search all lists for references.
  /// - `key_links`: keys that likeness links, and why. `distinct_keys`: those that people keep apart.
  static let likeness = """
    CREATE TABLE stacks (
      app INTEGER NOT NULL REFERENCES apps,
      variant TEXT NOT NULL,
      type TEXT,
      calls TEXT NOT NULL,
      PRIMARY KEY (app, variant)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE key_stacks (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      variant TEXT NOT NULL,
      words TEXT,
      functions TEXT,
      linking TEXT,
      features TEXT NOT NULL,
      reports INTEGER NOT NULL,
      UNIQUE (app, key, variant)
    ) STRICT;
    CREATE INDEX key_stacks_by_functions ON key_stacks (app, functions, key, variant);

    CREATE TABLE stack_lists (
      app INTEGER NOT NULL REFERENCES apps,
      list INTEGER NOT NULL,
      stack INTEGER NOT NULL,
      PRIMARY KEY (list, app, stack)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE key_links (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      other TEXT NOT NULL,
      rule TEXT NOT NULL,
      likeness INTEGER NOT NULL,
      matched INTEGER NOT NULL,
      frames INTEGER NOT NULL,
      PRIMARY KEY (app, key, other)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distinct_keys (
      app INTEGER NOT NULL REFERENCES apps,
      key TEXT NOT NULL,
      other TEXT NOT NULL,
      PRIMARY KEY (app, key, other)
    ) STRICT, WITHOUT ROWID;

    """
}
