extension Schema {
  /// Settings of the home, and files of watched folders that were dealt with and stayed where they are.
  static let settings = """
    CREATE TABLE settings (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE watched (
      path BLOB NOT NULL PRIMARY KEY,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
