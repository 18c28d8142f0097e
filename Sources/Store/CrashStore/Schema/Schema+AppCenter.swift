extension Schema {
  /// Apps by the secrets that are compiled into them, reports by the ids that clients give them,
  /// sessions, and what belongs to reports and came without them.
  ///
  /// An app that was renamed keeps in `key_name` the name that its reports' ids and its groups' keys
  /// are made with.
  static let appCenter = """
    ALTER TABLE apps ADD COLUMN key_name TEXT;
    CREATE UNIQUE INDEX apps_by_key_name ON apps (key_name) WHERE key_name IS NOT NULL;

    CREATE TABLE app_secrets (
      secret TEXT NOT NULL PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE client_reports (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      digest BLOB NOT NULL,
      kind TEXT NOT NULL,
      session TEXT NOT NULL,
      install BLOB,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      PRIMARY KEY (app, client)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX client_reports_by_day ON client_reports (app, day);
    CREATE INDEX client_reports_by_session ON client_reports (app, session);
    CREATE INDEX client_reports_by_digest ON client_reports (app, digest);

    CREATE TABLE orphan_attachments (
      app INTEGER NOT NULL REFERENCES apps,
      client TEXT NOT NULL,
      name TEXT NOT NULL,
      digest BLOB NOT NULL,
      content_type TEXT NOT NULL,
      size INTEGER NOT NULL,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, client, name, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX orphan_attachments_by_time ON orphan_attachments (received);

    CREATE TABLE sessions (
      app INTEGER NOT NULL REFERENCES apps,
      id TEXT NOT NULL,
      day INTEGER NOT NULL,
      version TEXT NOT NULL,
      install BLOB,
      PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_day ON sessions (app, day, version);

    CREATE TABLE session_events (
      app INTEGER NOT NULL REFERENCES apps,
      session TEXT NOT NULL,
      time INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT NOT NULL,
      properties TEXT NOT NULL,
      received INTEGER NOT NULL,
      PRIMARY KEY (app, session, time, id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_events_by_time ON session_events (received);

    """
}
