extension ServerSchema {
  /// Submissions that wait, are in progress or are quarantined, and what became of the others.
  ///
  /// - `intake.state`: see ``IntakeState``. The body is in the row, in `file`, or at `place` in the log
  ///   `log`. `turn` is the app that a submission is for, as far as its sender said: apps take turns.
  ///   `counted` says whether the ledger has what was quarantined.
  /// - `intake_states`: how many submissions are in each state; see ``IntakeStateChange``. Counting the rows
  ///   would read the bodies too.
  /// - `intake_logs`: how far rows cover a log, in bytes, with the number of those submissions and the bytes
  ///   of their bodies.
  /// - `intake_charges`: what submissions turned out to hold, until the server charges it to the rate of
  ///   those who sent them.
  /// - `intake_times`: how many things took at most `bound` microseconds and more than the bound before it,
  ///   and their microseconds altogether.
  /// - `verdicts`: what became of submissions, by the id that the answer to them gave.
  static let intake = """
    CREATE TABLE intake (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      received INTEGER NOT NULL,
      route TEXT NOT NULL,
      facts TEXT NOT NULL,
      submission TEXT,
      turn TEXT NOT NULL DEFAULT '',
      size INTEGER NOT NULL,
      body BLOB,
      file TEXT,
      log TEXT,
      place INTEGER,
      state INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      worker TEXT,
      problem TEXT,
      counted INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX intake_state ON intake (state, attempts, id);
    CREATE INDEX intake_worker ON intake (worker) WHERE worker IS NOT NULL;
    CREATE INDEX intake_log ON intake (log) WHERE log IS NOT NULL;
    CREATE INDEX intake_submission ON intake (submission) WHERE submission IS NOT NULL;
    CREATE INDEX intake_turn ON intake (state, attempts, turn, id);

    CREATE TABLE intake_states (
      state INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO intake_states (state, count, bytes) VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0);

    CREATE TABLE intake_logs (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE intake_charges (
      client TEXT NOT NULL,
      app TEXT NOT NULL,
      reports INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (client, app)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE intake_totals (
      name TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE intake_times (
      name TEXT NOT NULL,
      bound INTEGER NOT NULL,
      count INTEGER NOT NULL,
      total INTEGER NOT NULL,
      PRIMARY KEY (name, bound)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE verdicts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      submission TEXT NOT NULL UNIQUE,
      received INTEGER NOT NULL,
      finished INTEGER NOT NULL,
      app TEXT,
      is_new INTEGER NOT NULL,
      verdict TEXT NOT NULL,
      problem TEXT
    ) STRICT;
    CREATE INDEX verdicts_by_time ON verdicts (finished);

    """
}
