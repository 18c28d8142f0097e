extension Schema {
  /// Files that came with reports; their bytes are contents under `digest`, of `size` bytes. `added` is
  /// when the submission came in that brought the file.
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

    """
}
