extension Schema {
  /// When what clients say came in: an erasure takes what came before it, and a submission that is stored
  /// a second time knows what is its own. What came before this was noted came before everything.
  /// And how to find what an installation said without going through everybody's.
  static let received = """
    ALTER TABLE client_reports ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sessions ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX client_reports_by_install ON client_reports (install) WHERE install IS NOT NULL;
    CREATE INDEX sessions_by_install ON sessions (install) WHERE install IS NOT NULL;
    CREATE INDEX session_events_by_install ON session_events (install) WHERE install IS NOT NULL;

    """
}
