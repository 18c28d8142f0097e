extension Schema {
  /// The data behind crash-free rates, besides `reports`: sessions and how they ended, and the ids
  /// that clients give to reports.
  ///
  /// - `client_reports.day`: the day on which it happened. `received` is when it came in: an erasure takes
  ///   what came before it, and a submission that is stored a second time knows what is its own.
  /// - `session_events`: what a user did in a session, kept for a report of it.
  /// - `session_counts`: sessions that clients counted themselves.
  /// - `past_crashes`: reports that were deleted, for as long as sessions are kept.
  static let sessions = """
    CREATE TABLE client_reports (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      digest BLOB NOT NULL,
      kind TEXT NOT NULL,
      session TEXT NOT NULL,
      install BLOB,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, client)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX client_reports_by_day ON client_reports (app, day);
    CREATE INDEX client_reports_by_session ON client_reports (app, session);
    CREATE INDEX client_reports_by_digest ON client_reports (app, digest);
    CREATE INDEX client_reports_by_install ON client_reports (install) WHERE install IS NOT NULL;

    CREATE TABLE sessions (
      app INTEGER NOT NULL REFERENCES apps,
      id TEXT NOT NULL,
      day INTEGER NOT NULL,
      started INTEGER NOT NULL,
      duration INTEGER,
      status TEXT NOT NULL DEFAULT 'ok',
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      install BLOB,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_day ON sessions (app, day, version, build, install);
    CREATE INDEX sessions_by_install ON sessions (install, app, started, version)
      WHERE install IS NOT NULL;
    CREATE INDEX sessions_crashed ON sessions (app, day, version, build, install)
      WHERE status = 'crashed';

    CREATE TABLE session_events (
      app INTEGER NOT NULL REFERENCES apps,
      session TEXT NOT NULL,
      time INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      properties TEXT NOT NULL,
      install BLOB,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, session, time, id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_events_by_time ON session_events (received);
    CREATE INDEX session_events_by_install ON session_events (install) WHERE install IS NOT NULL;

    CREATE TABLE session_counts (
      app INTEGER NOT NULL REFERENCES apps,
      id TEXT NOT NULL,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      sessions INTEGER NOT NULL,
      crashed INTEGER NOT NULL,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_counts_by_day
      ON session_counts (app, day, version, build, sessions, crashed);

    CREATE TABLE past_crashes (
      app INTEGER NOT NULL REFERENCES apps,
      report TEXT NOT NULL,
      kind TEXT NOT NULL,
      time INTEGER NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      person BLOB,
      session TEXT NOT NULL,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, report)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX past_crashes_by_time
      ON past_crashes (app, kind, time, version, build, person, session);
    CREATE INDEX past_crashes_by_person ON past_crashes (person) WHERE person IS NOT NULL;

    """
}
