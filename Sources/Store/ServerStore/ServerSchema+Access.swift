extension ServerSchema {
  /// API tokens, accounts for the pages, and who changed what.
  ///
  /// - `accounts.id`: the name in lower case. `password` is a hash, `subject` the account's name at an
  ///   identity provider. `is_unclaimed`: see ``AccountsTable/Claimability``.
  /// - `sign_in_links`: links that sign in once. `browsers`: who is signed in, and by which method.
  /// - `audit`: only the latest refused sign-ins are kept; they have an index to find them by.
  static let access = """
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

    CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      app TEXT,
      password TEXT,
      password_set INTEGER,
      subject TEXT,
      is_unclaimed INTEGER NOT NULL,
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
      method TEXT NOT NULL,
      created INTEGER NOT NULL,
      seen INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      peer TEXT NOT NULL,
      agent TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX browsers_account ON browsers (account);

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time INTEGER NOT NULL,
      token TEXT NOT NULL,
      label TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      peer TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_refused ON audit (action, id) WHERE token = 'refused';

    """
}
