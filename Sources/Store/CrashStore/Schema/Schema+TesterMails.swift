extension Schema {
  /// Mails to testers, and what alerts tell of releases and invitations.
  ///
  /// - `tester_mails`: the mails that wait, and the log of those that were sent. `due` is NULL for a finished
  ///   one. `nonce` makes the code of an invitation as long as its mail waits; see
  ///   ``CrashStore/Distribution/invitationCode(of:)``.
  /// - `tester_notices`: the releases announced to a tester, each once. `mail` is the name of the mail.
  /// - `tester_refusals`: testers who want no mail.
  /// - `distribution_news`: what rules of alerts ask for, in the order of its numbers. Only the last lines stay.
  static let testerMails = """
    CREATE TABLE tester_mails (
      app INTEGER NOT NULL REFERENCES apps,
      number INTEGER NOT NULL,
      name TEXT NOT NULL UNIQUE,
      tester TEXT NOT NULL,
      email TEXT NOT NULL,
      kind TEXT NOT NULL,
      author TEXT NOT NULL,
      nonce TEXT,
      created INTEGER NOT NULL,
      due INTEGER,
      finished INTEGER,
      outcome TEXT,
      attempts INTEGER NOT NULL DEFAULT 0,
      answer TEXT,
      PRIMARY KEY (app, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tester_mails_due ON tester_mails (due) WHERE due IS NOT NULL;

    CREATE TABLE tester_notices (
      app INTEGER NOT NULL REFERENCES apps,
      artefact INTEGER NOT NULL,
      tester TEXT NOT NULL,
      mail TEXT NOT NULL,
      PRIMARY KEY (app, artefact, tester)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tester_notices_by_mail ON tester_notices (app, mail);

    CREATE TABLE tester_refusals (
      app INTEGER NOT NULL REFERENCES apps,
      tester TEXT NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (app, tester)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE distribution_news (
      number INTEGER PRIMARY KEY,
      app INTEGER NOT NULL REFERENCES apps,
      kind TEXT NOT NULL,
      version TEXT NOT NULL,
      build TEXT NOT NULL,
      recipient TEXT NOT NULL,
      detail TEXT NOT NULL,
      author TEXT NOT NULL,
      time INTEGER NOT NULL
    ) STRICT;

    """
}
