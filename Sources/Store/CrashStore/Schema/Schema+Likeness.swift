extension Schema {
  /// The stacks of keys, the lists by which like ones are found, the keys that are linked by likeness, and
  /// those that somebody said are not the same.
  static let likeness = """
    ALTER TABLE apps ADD COLUMN link TEXT;

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
    CREATE INDEX key_stacks_by_functions ON key_stacks (app, functions);

    CREATE TABLE stack_lists (
      app INTEGER NOT NULL REFERENCES apps,
      list INTEGER NOT NULL,
      stack INTEGER NOT NULL REFERENCES key_stacks,
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
