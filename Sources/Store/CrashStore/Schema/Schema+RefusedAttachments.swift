extension Schema {
  /// Files that were sent with reports and not kept. `client` is what a client calls the report, else
  /// empty; `digest` is the submission that it was read from, else empty.
  static let refusedAttachments = """
    CREATE TABLE refused_attachments (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      digest BLOB NOT NULL,
      name TEXT NOT NULL,
      reason TEXT NOT NULL,
      received INTEGER NOT NULL,
      install BLOB,
      PRIMARY KEY (app, client, digest, name, reason)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refused_attachments_by_install ON refused_attachments (install)
      WHERE install IS NOT NULL;

    """
}
