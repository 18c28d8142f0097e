extension ServerSchema {
  /// Passwords as hashes; whether nobody has signed in to an account yet, and whose it is at an identity
  /// provider; how a browser signed in. The audit log finds refused sign-ins by an index, since it keeps only
  /// the latest.
  static let passwords = """
    ALTER TABLE accounts ADD COLUMN password TEXT;
    ALTER TABLE accounts ADD COLUMN password_set INTEGER;
    ALTER TABLE accounts ADD COLUMN subject TEXT;
    ALTER TABLE accounts ADD COLUMN is_unclaimed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE browsers ADD COLUMN method TEXT NOT NULL DEFAULT 'link';
    CREATE INDEX audit_refused ON audit (action, id) WHERE token = 'refused';
    """
}
