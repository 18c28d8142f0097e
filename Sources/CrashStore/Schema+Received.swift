extension Schema {
  /// When what clients say came in: an erasure takes what came before it, and a submission that is filed
  /// a second time knows what is its own. What came before this was noted came before everything.
  static let received = """
    ALTER TABLE client_reports ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN received INTEGER NOT NULL DEFAULT 0;

    """
}
