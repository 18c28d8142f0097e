extension Schema {
  /// What the ids of an app's groups began with before they got another prefix. Those ids still find the
  /// groups, so no other app gets the prefix.
  static let formerPrefixes = """
    CREATE TABLE former_prefixes (
      prefix TEXT NOT NULL PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps
    ) STRICT, WITHOUT ROWID;

    """
}
