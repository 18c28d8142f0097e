extension ServerSchema {
  /// Uploads in several steps: of debug files, and of files of releases.
  ///
  /// - `caller`: whose upload it is. `sent` and `blocks` are how much of it lies in its folder.
  /// - `tries`: how often processing began. `problem` says why it failed.
  /// - `announced`, `author`, `artefact`: of a file of a release the size that was announced, who published
  ///   it, and the number that it got.
  static let uploads = """
    CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      app TEXT NOT NULL,
      kind TEXT NOT NULL,
      file_name TEXT,
      version TEXT,
      build TEXT,
      signature BLOB NOT NULL,
      caller TEXT NOT NULL,
      created INTEGER NOT NULL,
      announced INTEGER,
      sent INTEGER NOT NULL DEFAULT 0,
      blocks INTEGER NOT NULL DEFAULT 0,
      committed INTEGER,
      size INTEGER NOT NULL DEFAULT 0,
      status TEXT NOT NULL,
      tries INTEGER NOT NULL DEFAULT 0,
      problem TEXT,
      symbols TEXT NOT NULL DEFAULT '',
      author TEXT,
      artefact INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uploads_app ON uploads (app, created);
    CREATE INDEX uploads_status ON uploads (status, caller);
    CREATE INDEX uploads_sent ON uploads (caller, sent, blocks) WHERE sent > 0;

    """
}
