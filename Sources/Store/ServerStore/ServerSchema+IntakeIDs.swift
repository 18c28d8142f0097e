extension ServerSchema {
  /// The identity of a submission in the store: see ``IntakeID``. Submissions that an older version accepted get
  /// one here.
  static let intakeIDs = """
    ALTER TABLE intake ADD COLUMN intake_id BLOB;
    UPDATE intake SET intake_id = randomblob(16);
    CREATE INDEX intake_intake_id ON intake (intake_id);

    """
}
