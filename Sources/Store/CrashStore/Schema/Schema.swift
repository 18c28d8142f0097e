internal import Database

/// The tables of `mayday.db`.
///
/// Times are microseconds since 1970 in UTC, days are whole days since then. Text that a report did
/// not give is empty where it is part of a key, and NULL elsewhere.
enum Schema {
  /// "Mayd", the mark of our databases.
  static let application: Int32 = 0x4d61_7964

  /// The first step makes a new database. A change of a released schema is a step after it.
  static let steps = [
    create, testerMails, downloads, testerSightings, tickets, namedImages, protections,
    segments, lastNumbers, intakeProgress, appsOfWork, appsOfHistory,
  ]

  static let migrations = Migrations(application: application, steps: steps)

  /// A table comes after those that it refers to.
  private static let create = [
    apps,
    submissions,
    groups,
    reports,
    reprocessing,
    counters,
    attachments,
    images,
    debugFiles,
    releases,
    sessions,
    ledger,
    likeness,
    ruleSets,
    distribution,
    remoteConfigurations,
    search,
    settings,
  ].joined(separator: "\n")
}
