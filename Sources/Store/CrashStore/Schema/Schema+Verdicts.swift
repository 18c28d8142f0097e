extension Schema {
  /// How each report found its group, what was known of it before it was reprocessed, and debug files
  /// by name.
  static let verdicts = """
    ALTER TABLE reports ADD COLUMN found_by TEXT NOT NULL DEFAULT '';
    ALTER TABLE reports ADD COLUMN found_detail TEXT;

    CREATE TABLE report_versions (
      report INTEGER NOT NULL REFERENCES reports,
      number INTEGER NOT NULL,
      replaced INTEGER NOT NULL,
      grp INTEGER NOT NULL REFERENCES groups,
      document BLOB NOT NULL,
      arrived TEXT NOT NULL,
      PRIMARY KEY (report, number)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX debug_files_by_name ON debug_files (name);

    """
}
