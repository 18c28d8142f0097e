extension Schema {
  /// Parts of reports that only some roles see.
  ///
  /// - `protections.role`: the least role that sees the part. A part without a row is for every role.
  static let protections = """
    CREATE TABLE protections (
      app INTEGER NOT NULL REFERENCES apps,
      part TEXT NOT NULL,
      role TEXT NOT NULL,
      PRIMARY KEY (app, part)
    ) STRICT, WITHOUT ROWID;

    """
}
