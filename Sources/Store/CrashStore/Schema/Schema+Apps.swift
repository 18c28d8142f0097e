extension Schema {
  /// Apps, the secrets that are compiled into them, and the former prefixes of their groups' ids.
  ///
  /// - `apps.key_name`: the name that the ids of reports and the keys of groups are made with, for an app
  ///   that was renamed.
  /// - `apps.rules`: the built-in grouping rules of an app that never chose any; see `rule_sets`.
  /// - `apps.link`: which keys are linked by likeness; NULL for the default.
  /// - `former_prefixes`: ids with a former prefix still find their groups, so no other app gets it.
  static let apps = """
    CREATE TABLE apps (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      key_name TEXT,
      prefix TEXT NOT NULL UNIQUE,
      intake_key TEXT NOT NULL UNIQUE,
      rules TEXT NOT NULL,
      link TEXT,
      keep_days INTEGER,
      keep_bytes INTEGER,
      keep_per_group INTEGER,
      keep_per_day INTEGER,
      last_group INTEGER NOT NULL DEFAULT 0,
      last_artefact INTEGER NOT NULL DEFAULT 0,
      created INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX apps_by_key_name ON apps (key_name) WHERE key_name IS NOT NULL;

    CREATE TABLE app_secrets (
      secret TEXT NOT NULL PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE former_prefixes (
      prefix TEXT NOT NULL PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps
    ) STRICT, WITHOUT ROWID;

    """
}
