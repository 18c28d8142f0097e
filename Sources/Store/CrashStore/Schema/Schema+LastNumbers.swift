extension Schema {
  /// - `last_numbers`: the greatest number that a row of a table ever had, where rows were deleted; see
  ///   ``RowNumbers``.
  static let lastNumbers = """
    CREATE TABLE last_numbers (
      name TEXT NOT NULL PRIMARY KEY,
      last INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO last_numbers SELECT name, seq FROM sqlite_sequence WHERE name = 'origins';

    """
}
