extension Schema {
  /// The ledger, what is remembered of reports that are no longer there, and how long an app's
  /// reports are kept.
  ///
  /// A home of version 1 has refused nothing twice as far as anybody knows, and its files' sizes were
  /// not noted.
  static let ledger = """
    ALTER TABLE apps ADD COLUMN keep_days INTEGER;
    ALTER TABLE apps ADD COLUMN keep_bytes INTEGER;
    ALTER TABLE apps ADD COLUMN keep_per_group INTEGER;

    ALTER TABLE refused ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;

    -- The apps are few: the index by app and digest will do.
    DROP INDEX submissions_by_digest;

    CREATE TABLE ledger (
      app TEXT NOT NULL,
      day INTEGER NOT NULL,
      what TEXT NOT NULL,
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (app, day, what, reason)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_submissions (
      app INTEGER NOT NULL REFERENCES apps,
      digest BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (app, digest)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_reports (
      origin INTEGER PRIMARY KEY REFERENCES origins,
      count INTEGER NOT NULL,
      first_seen INTEGER NOT NULL,
      last_seen INTEGER NOT NULL
    ) STRICT;

    INSERT INTO ledger (app, day, what, reason, count, bytes)
      SELECT apps.name, submissions.received / 86400000000, 'filed', '', count(*),
        sum(submissions.bytes)
      FROM submissions JOIN apps ON apps.id = submissions.app GROUP BY 1, 2;
    INSERT INTO ledger (app, day, what, reason, count, bytes)
      SELECT apps.name, reports.received / 86400000000, 'reports filed', '', count(*), 0
      FROM reports JOIN apps ON apps.id = reports.app GROUP BY 1, 2;
    INSERT INTO ledger (app, day, what, reason, count, bytes)
      SELECT app, time / 86400000000, 'refused', reason, count(*), 0 FROM refused GROUP BY 1, 2, 4;
    INSERT INTO ledger (app, day, what, reason, count, bytes)
      SELECT app, day, 'received', '', sum(count), sum(bytes) FROM ledger
      WHERE what IN ('filed', 'refused') GROUP BY 1, 2;

    """
}
