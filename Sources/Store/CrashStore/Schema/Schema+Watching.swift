extension Schema {
  /// Files of watched folders that were dealt with and stayed where they are.
  static let watching = """
    CREATE TABLE watched (
      path BLOB NOT NULL PRIMARY KEY,
      inode INTEGER NOT NULL,
      size INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
