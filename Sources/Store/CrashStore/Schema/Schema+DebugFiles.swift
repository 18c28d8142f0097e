extension Schema {
  /// Debug files, and what they belong to.
  ///
  /// - `arrivals`: how many debug files ever arrived; `debug_files.arrival` is the number of a file. Which
  ///   files a result has seen follows from it.
  /// - `debug_file_apps`: the apps that a file was uploaded for; 0 is all apps.
  /// - `debug_file_releases`: the releases that a file was uploaded for.
  /// - `debug_file_bundles`: the releases that bundles name themselves, for images of which reports name
  ///   only the release of their app.
  static let debugFiles = """
    CREATE TABLE debug_files (
      id INTEGER PRIMARY KEY,
      debug_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      code_id TEXT,
      architecture TEXT NOT NULL,
      digest BLOB NOT NULL,
      name TEXT NOT NULL,
      size INTEGER NOT NULL,
      added INTEGER NOT NULL,
      arrival INTEGER NOT NULL,
      UNIQUE (debug_id, kind, digest)
    ) STRICT;
    CREATE INDEX debug_files_by_code_id ON debug_files (code_id);
    CREATE INDEX debug_files_by_digest ON debug_files (digest);
    CREATE INDEX debug_files_by_name ON debug_files (name);

    CREATE TABLE arrivals (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      last INTEGER NOT NULL
    ) STRICT;
    INSERT INTO arrivals (id, last) VALUES (1, 0);

    CREATE TABLE debug_file_apps (
      digest BLOB NOT NULL,
      app INTEGER NOT NULL,
      PRIMARY KEY (digest, app)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE debug_file_releases (
      digest BLOB NOT NULL,
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      PRIMARY KEY (digest, app, version, build)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE debug_file_bundles (
      digest BLOB NOT NULL PRIMARY KEY,
      version TEXT NOT NULL,
      build TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
