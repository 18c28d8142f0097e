extension Schema {
  /// Whom a debug file was handed in for, and what a home was told to do. Files of before were handed in
  /// for all apps, and for those whose releases they belong to.
  static let debugFileApps = """
    CREATE TABLE debug_file_apps (
      digest BLOB NOT NULL,
      app INTEGER NOT NULL,
      PRIMARY KEY (digest, app)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO debug_file_apps (digest, app) SELECT DISTINCT digest, 0 FROM debug_files;
    INSERT OR IGNORE INTO debug_file_apps (digest, app)
      SELECT DISTINCT digest, app FROM debug_file_releases;
    CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    """
}
