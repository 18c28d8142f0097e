extension Schema {
  /// Reports to reprocess, and the origins that are looked through afterwards.
  ///
  /// - `redo.rule_set`: the report is only to be signed again, for this number of `rule_sets`. `problem`
  ///   says why a report could not be reprocessed.
  /// - `regroup.phase`: how far the look through an origin has come.
  /// - `regroup_changes`: how its reports changed, for the history: the texts of the signatures, and the
  ///   debug ids of the files that explained them.
  static let reprocessing = """
    CREATE TABLE redo (
      report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
      rule_set INTEGER,
      problem TEXT
    ) STRICT;

    CREATE TABLE regroup (
      origin INTEGER PRIMARY KEY,
      phase INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE regroup_changes (
      origin INTEGER NOT NULL,
      old_text TEXT NOT NULL,
      new_text TEXT NOT NULL,
      arrived TEXT NOT NULL,
      reports INTEGER NOT NULL,
      PRIMARY KEY (origin, old_text, new_text, arrived)
    ) STRICT, WITHOUT ROWID;

    """
}
