internal import Database

/// The tables of `server.db`; times are microseconds since 1970.
enum ServerSchema {
  /// "MayS"
  static let migrations = Migrations(
    application: 0x4d61_7953,
    steps: [
      intake, tokens, uploads, aside, logs, figures, erasures, ignored, uploadBounds, tallies,
      verdicts, withoutTriggers, releaseUploads, accounts, passwords, alerts,
      turns,
    ])

  /// state: 0 waiting, 1 with a worker, 2 quarantined. A body is in the row, in a log or, when it is
  /// large, in a file. How many there are in each state is counted as they go: looking at every row
  /// would read the bodies too.
  private static let intake = """
    CREATE TABLE intake (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      received INTEGER NOT NULL,
      route TEXT NOT NULL,
      facts TEXT NOT NULL,
      size INTEGER NOT NULL,
      body BLOB,
      file TEXT,
      state INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      worker TEXT,
      problem TEXT
    ) STRICT;
    CREATE INDEX intake_state ON intake (state, attempts, id);
    CREATE INDEX intake_worker ON intake (worker) WHERE worker IS NOT NULL;
    CREATE TABLE intake_states (
      state INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO intake_states VALUES (0, 0, 0), (1, 0, 0), (2, 0, 0);
    CREATE TRIGGER intake_added AFTER INSERT ON intake BEGIN
      UPDATE intake_states SET count = count + 1, bytes = bytes + new.size
      WHERE state = new.state;
    END;
    CREATE TRIGGER intake_moved AFTER UPDATE OF state ON intake BEGIN
      UPDATE intake_states SET count = count - 1, bytes = bytes - old.size
      WHERE state = old.state;
      UPDATE intake_states SET count = count + 1, bytes = bytes + new.size
      WHERE state = new.state;
    END;
    CREATE TRIGGER intake_removed AFTER DELETE ON intake BEGIN
      UPDATE intake_states SET count = count - 1, bytes = bytes - old.size
      WHERE state = old.state;
    END;
    CREATE TABLE intake_totals (
      name TEXT PRIMARY KEY,
      count INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Whether the ledger of the store has what was quarantined.
  private static let aside = """
    ALTER TABLE intake ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
    """

  /// Submissions are acknowledged when they are in a log; the rows tell what became of them. `position`
  /// is how far a log is told of by rows, `place` where a body begins in its log.
  private static let logs = """
    CREATE TABLE intake_logs (
      name TEXT PRIMARY KEY,
      position INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    ALTER TABLE intake ADD COLUMN log TEXT;
    ALTER TABLE intake ADD COLUMN place INTEGER;
    CREATE INDEX intake_log ON intake (log) WHERE log IS NOT NULL;
    """

  /// How long things took: how many took at most `bound` microseconds and more than the bound before it,
  /// and all of their microseconds. What was done by an older version counts as stored: it did not tell
  /// what was known before, nor what was discarded.
  private static let figures = """
    CREATE TABLE intake_times (
      name TEXT NOT NULL,
      bound INTEGER NOT NULL,
      count INTEGER NOT NULL,
      total INTEGER NOT NULL,
      PRIMARY KEY (name, bound)
    ) STRICT, WITHOUT ROWID;
    UPDATE intake_totals SET name = 'filed' WHERE name = 'done';
    INSERT OR REPLACE INTO intake_totals VALUES ('accepted',
      (SELECT ifnull(sum(count), 0) FROM intake_totals WHERE name IN ('filed', 'erased'))
      + (SELECT sum(count) FROM intake_states));
    """

  /// Who was erased while submissions waited: what is in those up to `mark`, and came in up to `time`, is
  /// deleted when they are stored. A row goes when none of them is left.
  private static let erasures = """
    CREATE TABLE erasures (
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      mark INTEGER NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;
    """

  /// What became of submissions that can be asked for by the id that the answer to them gave.
  private static let verdicts = """
    ALTER TABLE intake ADD COLUMN submission TEXT;
    CREATE INDEX intake_submission ON intake (submission) WHERE submission IS NOT NULL;
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

  /// The program counts what is in each state itself; see ``IntakeStateChange``.
  private static let withoutTriggers = """
    DROP TRIGGER IF EXISTS intake_added;
    DROP TRIGGER IF EXISTS intake_moved;
    DROP TRIGGER IF EXISTS intake_removed;
    """

  /// Apps take turns: `turn` is the app that a submission is for, as far as its sender said. What submissions turned
  /// out to hold is charged to the rate of those who sent them; the server takes the rows out.
  private static let turns = """
    ALTER TABLE intake ADD COLUMN turn TEXT NOT NULL DEFAULT '';
    CREATE INDEX intake_turn ON intake (state, attempts, turn, id);
    CREATE TABLE intake_charges (
      client TEXT NOT NULL,
      app TEXT NOT NULL,
      reports INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (client, app)
    ) STRICT, WITHOUT ROWID;
    """

  /// Uploads of files of releases: what was said of the file, who published it, and the number that it got.
  private static let releaseUploads = """
    ALTER TABLE uploads ADD COLUMN announced INTEGER;
    ALTER TABLE uploads ADD COLUMN author TEXT;
    ALTER TABLE uploads ADD COLUMN artefact INTEGER;
    """

  private static let uploads = """
    CREATE TABLE uploads (
      id TEXT PRIMARY KEY,
      app TEXT NOT NULL,
      kind TEXT NOT NULL,
      file_name TEXT,
      version TEXT,
      build TEXT,
      signature BLOB NOT NULL,
      created INTEGER NOT NULL,
      committed INTEGER,
      status TEXT NOT NULL,
      size INTEGER NOT NULL DEFAULT 0,
      symbols TEXT NOT NULL DEFAULT ''
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX uploads_app ON uploads (app, created);
    """

  /// How many submissions of a log rows tell of, and the bytes of their bodies.
  private static let tallies = """
    ALTER TABLE intake_logs ADD COLUMN count INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE intake_logs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    """

  /// Whose uploads they are, and how much of each lies in its folder; how often processing was begun, and
  /// why it failed.
  private static let uploadBounds = """
    ALTER TABLE uploads ADD COLUMN caller TEXT NOT NULL DEFAULT '';
    ALTER TABLE uploads ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE uploads ADD COLUMN blocks INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE uploads ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE uploads ADD COLUMN problem TEXT;
    UPDATE uploads SET sent = size WHERE status = 'committed';
    CREATE INDEX uploads_status ON uploads (status, caller);
    CREATE INDEX uploads_sent ON uploads (caller, sent, blocks) WHERE sent > 0;
    """

  /// Symbols that somebody does not want to be told of any more, as 32 hexadecimal digits.
  private static let ignored = """
    CREATE TABLE ignored_symbols (
      app TEXT NOT NULL,
      symbol TEXT NOT NULL,
      PRIMARY KEY (app, symbol)
    ) STRICT, WITHOUT ROWID;
    """

  private static let tokens = """
    CREATE TABLE tokens (
      id TEXT PRIMARY KEY,
      label TEXT NOT NULL,
      scopes TEXT NOT NULL,
      app TEXT,
      salt BLOB NOT NULL,
      hash BLOB NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER,
      revoked INTEGER,
      used INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time INTEGER NOT NULL,
      token TEXT NOT NULL,
      label TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      peer TEXT NOT NULL
    ) STRICT;
    """

  /// Who may sign in to the pages, by the name in lower case; links that sign in once; browsers that are signed in.
  private static let accounts = """
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      app TEXT,
      created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sign_in_links (
      id TEXT PRIMARY KEY,
      hash BLOB NOT NULL,
      account TEXT NOT NULL,
      expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE browsers (
      id TEXT PRIMARY KEY,
      hash BLOB NOT NULL,
      account TEXT NOT NULL,
      created INTEGER NOT NULL,
      seen INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      peer TEXT NOT NULL,
      agent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX browsers_account ON browsers (account);
    """
}
