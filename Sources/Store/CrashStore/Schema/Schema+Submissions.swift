extension Schema {
  /// Bytes as they arrived, files that were refused, and submissions that were deleted.
  ///
  /// - `submissions.app_given`: whether the app was named for all reports of the submission; otherwise each
  ///   report names its own.
  static let submissions = """
    CREATE TABLE submissions (
      id INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      digest BLOB NOT NULL,
      source TEXT NOT NULL,
      received INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      problem TEXT,
      app_given INTEGER NOT NULL,
      UNIQUE (app, digest)
    ) STRICT;

    CREATE TABLE refused (
      app TEXT NOT NULL,
      source TEXT NOT NULL,
      reason TEXT NOT NULL,
      digest BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (app, source, reason, digest)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE past_submissions (
      app INTEGER NOT NULL REFERENCES apps,
      digest BLOB NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (app, digest)
    ) STRICT, WITHOUT ROWID;

    """
}
