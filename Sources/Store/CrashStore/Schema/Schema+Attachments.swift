extension Schema {
  /// Files that came with reports; their bytes are contents under `digest`, of `size` bytes.
  ///
  /// - `attachments.added`: when the submission came in that brought the file.
  /// - `orphan_attachments`: files that came before the report that a client calls `client`.
  /// - `refused_attachments`: files that were not kept. `client` is what a client calls the report, and
  ///   `digest` the submission that the file was read from; either may be empty.
  ///
  /// `install` is the installation that a file is from, so that it can be erased with it.
  static let attachments = """
    CREATE TABLE attachments (
      report INTEGER NOT NULL REFERENCES reports ON DELETE CASCADE,
      name TEXT NOT NULL,
      content_type TEXT NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      added INTEGER NOT NULL,
      PRIMARY KEY (report, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attachments_by_name ON attachments (name, report);
    CREATE INDEX attachments_by_digest ON attachments (digest);

    CREATE TABLE orphan_attachments (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      name TEXT NOT NULL,
      digest BLOB NOT NULL,
      content_type TEXT NOT NULL,
      size INTEGER NOT NULL,
      install BLOB,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, client, name, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX orphan_attachments_by_time ON orphan_attachments (received);
    CREATE INDEX orphan_attachments_by_install ON orphan_attachments (install)
      WHERE install IS NOT NULL;

    CREATE TABLE refused_attachments (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      digest BLOB NOT NULL,
      name TEXT NOT NULL,
      reason TEXT NOT NULL,
      install BLOB,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, client, digest, name, reason)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refused_attachments_by_install ON refused_attachments (install)
      WHERE install IS NOT NULL;

    """
}
