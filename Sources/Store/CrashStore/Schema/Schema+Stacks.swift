extension Schema {
  /// The stacks of reports as grouping sees them, each once for an app. Reports that were stored before
  /// this have none until ``CrashStore/fillStacks()``.
  static let stacks = """
    ALTER TABLE reports ADD COLUMN variant TEXT NOT NULL DEFAULT '';
    CREATE INDEX reports_of_group_by_variant ON reports (grp, variant);
    CREATE INDEX reports_by_variant ON reports (variant);
    CREATE TABLE stacks (
      app INTEGER NOT NULL REFERENCES apps,
      variant TEXT NOT NULL,
      type TEXT,
      calls TEXT NOT NULL,
      PRIMARY KEY (app, variant)
    ) STRICT, WITHOUT ROWID;

    """
}
