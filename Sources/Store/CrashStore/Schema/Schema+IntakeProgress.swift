extension Schema {
  /// Submissions of a queue that are in the store, wholly or in part, and may still be in the queue; see
  /// ``IntakeProgress``.
  ///
  /// - `is_new`: whether anything in it was new.
  /// - `is_discarded`: whether the ledger has it as discarded from the quarantine.
  static let intakeProgress = """
    CREATE TABLE intake_progress (
      intake BLOB NOT NULL PRIMARY KEY,
      outcomes INTEGER NOT NULL,
      is_new INTEGER NOT NULL,
      is_discarded INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
