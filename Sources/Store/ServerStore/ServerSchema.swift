import Database

/// The tables of `server.db`; times are microseconds since 1970.
enum ServerSchema {
  /// The first step makes a new database. A change of a released schema is a step after it. The program's
  /// mark is "MayS".
  static let migrations = Migrations(
    application: 0x4d61_7953,
    steps: [
      create, intakeLinks, tokenOwners, savedSearches, intakeIDs, alertAppMarks,
    ])

  private static let create = [intake, access, uploads, erasures, ignoredSymbols, alerts]
    .joined(separator: "\n")

  /// Persons who were erased while submissions waited: what is theirs in submissions up to `mark` that came
  /// in up to `time` is deleted when these are stored. A row is deleted when none of them is left.
  private static let erasures = """
    CREATE TABLE erasures (
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      mark INTEGER NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (kind, name)
    ) STRICT, WITHOUT ROWID;

    """

  /// Symbols that clients are no longer asked for, as 32 hexadecimal digits.
  private static let ignoredSymbols = """
    CREATE TABLE ignored_symbols (
      app TEXT NOT NULL,
      symbol TEXT NOT NULL,
      PRIMARY KEY (app, symbol)
    ) STRICT, WITHOUT ROWID;

    """
}
