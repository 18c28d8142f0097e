extension Schema {
  /// When an update token of a tester was last used, to the minute.
  static let testerSightings = """
    CREATE TABLE tester_sightings (
      app INTEGER NOT NULL REFERENCES apps,
      tester TEXT NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (app, tester)
    ) STRICT, WITHOUT ROWID;

    """
}
