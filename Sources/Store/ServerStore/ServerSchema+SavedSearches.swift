extension ServerSchema {
  /// Searches of the list of groups that people keep. `address` is that of the list.
  static let savedSearches = """
    CREATE TABLE saved_searches (
      account TEXT NOT NULL,
      name TEXT NOT NULL,
      address TEXT NOT NULL,
      created INTEGER NOT NULL,
      PRIMARY KEY (account, name)
    ) STRICT, WITHOUT ROWID;

    """
}
