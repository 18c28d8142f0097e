extension ServerSchema {
  /// Alert rules and targets, reported conditions, alerts and their deliveries, how far the histories were
  /// read, and the server's settings.
  static let alerts = """
    CREATE TABLE alert_targets (
      name TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      address TEXT NOT NULL,
      preset TEXT,
      secret TEXT,
      sender TEXT,
      recipients TEXT,
      login TEXT,
      password TEXT,
      is_plain INTEGER NOT NULL DEFAULT 0,
      authorities TEXT,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE alert_rules (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      target TEXT NOT NULL,
      app TEXT,
      query TEXT NOT NULL,
      span INTEGER NOT NULL,
      least INTEGER NOT NULL,
      factor INTEGER NOT NULL,
      below INTEGER NOT NULL,
      basis TEXT NOT NULL,
      digest TEXT NOT NULL,
      quiet TEXT,
      zone INTEGER NOT NULL,
      created INTEGER NOT NULL,
      author TEXT NOT NULL,
      mark INTEGER NOT NULL DEFAULT 0,
      more INTEGER NOT NULL DEFAULT 0,
      sent INTEGER,
      problem TEXT
    ) STRICT;

    CREATE TABLE alert_subjects (
      rule INTEGER NOT NULL,
      subject TEXT NOT NULL,
      seen INTEGER NOT NULL,
      PRIMARY KEY (rule, subject)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      rule INTEGER NOT NULL,
      time INTEGER NOT NULL,
      app TEXT NOT NULL,
      name TEXT NOT NULL,
      title TEXT NOT NULL,
      detail TEXT NOT NULL,
      path TEXT NOT NULL,
      delivery INTEGER
    ) STRICT;
    CREATE INDEX alerts_waiting ON alerts (rule, time) WHERE delivery IS NULL;
    CREATE INDEX alerts_by_delivery ON alerts (delivery) WHERE delivery IS NOT NULL;

    CREATE TABLE alert_deliveries (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      rule INTEGER NOT NULL,
      kind TEXT NOT NULL,
      target TEXT NOT NULL,
      created INTEGER NOT NULL,
      due INTEGER,
      finished INTEGER,
      is_sent INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      answer TEXT,
      count INTEGER NOT NULL,
      more INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX alert_deliveries_due ON alert_deliveries (due) WHERE due IS NOT NULL;

    CREATE TABLE alert_marks (
      name TEXT PRIMARY KEY,
      value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE server_settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    """
}
