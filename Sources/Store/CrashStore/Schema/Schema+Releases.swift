extension Schema {
  /// The releases of apps. `position` is the place in the order that people set; NULL for releases that
  /// they did not place.
  static let releases = """
    CREATE TABLE releases (
      app INTEGER NOT NULL REFERENCES apps,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      position INTEGER,
      added INTEGER NOT NULL,
      first_seen INTEGER,
      last_seen INTEGER,
      reports INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (app, version, build)
    ) STRICT, WITHOUT ROWID;

    """
}
