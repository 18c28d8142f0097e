extension Schema {
  /// What crash-free rates are counted from: whose crash a report is and in which session it happened, whatever
  /// client sent it; how sessions ended; and sessions that clients have counted themselves.
  ///
  /// `happened` is the time of a report, or that of its arrival where a client's clock is not believed;
  /// `person` is the hash of the installation, or of the user where a report names no installation. Reports that
  /// went are remembered in `past_crashes` for as long as sessions are kept.
  static let sessions = """
    ALTER TABLE reports ADD COLUMN session TEXT NOT NULL DEFAULT '';
    ALTER TABLE reports ADD COLUMN person BLOB;
    ALTER TABLE reports ADD COLUMN happened INTEGER NOT NULL DEFAULT 0;
    UPDATE reports SET happened = coalesce((
        SELECT CASE WHEN client_reports.day = reports.time / 86400000000 THEN reports.time
          ELSE client_reports.day * 86400000000 END
        FROM submissions JOIN client_reports
        ON client_reports.app = submissions.app AND client_reports.digest = submissions.digest
      WHERE submissions.id = reports.submission LIMIT 1), time),
      person = install, session = coalesce((
      SELECT client_reports.session FROM submissions JOIN client_reports
        ON client_reports.app = submissions.app AND client_reports.digest = submissions.digest
      WHERE submissions.id = reports.submission LIMIT 1), '');
    CREATE INDEX reports_of_app_by_kind
      ON reports (app, kind, happened, version, build, person, session);

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
    INSERT INTO past_crashes (app, report, kind, time, version, build, person, session, received)
      SELECT app, 'client ' || client, kind, day * 86400000000, version, build, install, session, received
      FROM client_reports WHERE kind = 'crash' AND NOT EXISTS (SELECT 1 FROM submissions
        WHERE submissions.app = client_reports.app AND submissions.digest = client_reports.digest);

    ALTER TABLE sessions ADD COLUMN started INTEGER;
    ALTER TABLE sessions ADD COLUMN duration INTEGER;
    ALTER TABLE sessions ADD COLUMN status TEXT NOT NULL DEFAULT 'ok';
    DROP INDEX sessions_by_install;
    CREATE INDEX sessions_by_install ON sessions (install, app, started, version)
      WHERE install IS NOT NULL;
    CREATE INDEX sessions_crashed ON sessions (app, day, version, build, install)
      WHERE status = 'crashed';

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

    """
}
