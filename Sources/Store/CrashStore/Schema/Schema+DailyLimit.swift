extension Schema {
  /// Reports beyond the daily limit of their group and build, which are only counted.
  static let dailyLimit = """
    ALTER TABLE apps ADD COLUMN keep_per_day INTEGER;

    -- How many reports of a group and build were stored whole on a day, the day on which they came, and
    -- whether any of them had attachments, or was a dump.
    CREATE TABLE group_intake (
      day INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      stored INTEGER NOT NULL,
      attachments INTEGER NOT NULL,
      dumps INTEGER NOT NULL,
      PRIMARY KEY (day, grp, version, build)
    ) STRICT, WITHOUT ROWID;

    -- What is known of reports that were only counted: as much as moves them to another group later.
    CREATE TABLE counted_reports (
      id INTEGER PRIMARY KEY,
      origin INTEGER NOT NULL REFERENCES origins,
      key TEXT NOT NULL,
      variant TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      day INTEGER NOT NULL,
      os TEXT NOT NULL,
      device TEXT NOT NULL,
      install BLOB NOT NULL,
      count INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL,
      UNIQUE (origin, key, variant, version, build, day, os, device, install)
    ) STRICT;
    CREATE INDEX counted_reports_by_install ON counted_reports (install, origin);

    ALTER TABLE search_past ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX search_past_by_counted ON search_past (counted) WHERE counted > 0;

    """
}
