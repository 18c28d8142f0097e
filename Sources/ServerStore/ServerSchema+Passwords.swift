extension ServerSchema {
  /// Passwords as hashes; who somebody is at an identity provider; how a browser signed in. Sign-ins that were refused
  /// are found in the audit log without reading it, for only the latest are kept.
  static let passwords = """
    ALTER TABLE accounts ADD COLUMN password TEXT;
    ALTER TABLE accounts ADD COLUMN password_set INTEGER;
    ALTER TABLE accounts ADD COLUMN subject TEXT;
    ALTER TABLE browsers ADD COLUMN method TEXT NOT NULL DEFAULT 'link';
    CREATE INDEX audit_refused ON audit (id) WHERE token = 'refused';
    """
}
