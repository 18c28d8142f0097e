extension Schema {
  /// Downloads of files of releases: how many of each, by the group that they were offered to, and by day in UTC.
  ///
  /// The group is the id of one of `distribution_groups`, or empty for testers who were given the file by name.
  static let downloads = """
    CREATE TABLE artefact_downloads (
      app INTEGER NOT NULL REFERENCES apps,
      artefact INTEGER NOT NULL,
      distribution_group TEXT NOT NULL,
      day INTEGER NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (app, artefact, distribution_group, day)
    ) STRICT, WITHOUT ROWID;

    """
}
