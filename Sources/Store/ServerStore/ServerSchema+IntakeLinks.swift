extension ServerSchema {
  /// Links by which users hand over files. `files` counts them; `most` is how many may come.
  static let intakeLinks = """
    CREATE TABLE intake_links (
      id TEXT PRIMARY KEY,
      app TEXT NOT NULL,
      label TEXT NOT NULL,
      hash BLOB NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      most INTEGER,
      files INTEGER NOT NULL DEFAULT 0,
      used INTEGER,
      revoked INTEGER
    ) STRICT, WITHOUT ROWID;

    """
}
