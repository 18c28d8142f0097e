extension Schema {
  /// The count of everything received, by app, day, ``LedgerEntry`` and reason.
  static let ledger = """
    CREATE TABLE ledger (
      app TEXT NOT NULL,
      day INTEGER NOT NULL,
      what TEXT NOT NULL,
      reason TEXT NOT NULL,
      count INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (app, day, what, reason)
    ) STRICT, WITHOUT ROWID;

    """
}
