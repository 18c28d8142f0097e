internal import Database

/// Facts about apps, rules, debug files and groups that no statement of a transaction that stores reports
/// changes once they are read: each is read once for all of its reports.
///
/// It lives as long as one run of the transaction.
final class StoringFacts {
  private var apps = KnownApps()
  private var rules: [RowID<Tables.Apps>: (number: Int, digest: String)?] = [:]
  private var names: [RowID<Tables.Groups>: String] = [:]
  private var arrivals: Int?
  /// The last number given of each table.
  private var last: [RowNumbers: Int] = [:]

  /// Returns the app of this name; creates it if it is new.
  func app(named name: String, in database: borrowing Connection) throws -> AppsTable.App {
    try apps.app(named: name, in: database)
  }

  /// Returns the app of this name, if there is one.
  func find(_ name: String, in database: borrowing Connection) throws -> AppsTable.App? {
    try apps.find(name, in: database)
  }

  /// Returns submissions with the rows of their apps, those of unknown apps left out.
  func owned(
    _ submissions: some Sequence<PreparedSubmission>, in database: borrowing Connection
  ) throws -> [SubmissionStates.Owned] {
    try apps.owned(submissions, in: database)
  }

  /// Returns how many debug files have ever arrived.
  func arrivals(in database: borrowing Connection) throws -> Int {
    if let arrivals { return arrivals }
    let count = try WaitingReports.arrivals(in: database)
    arrivals = count
    return count
  }

  /// Returns the number of a new row. Only this numbers the rows of the table in the transaction.
  func next<Row>(
    _ numbers: RowNumbers, in database: borrowing Connection
  ) throws -> RowID<Row> {
    let (next, isTooLarge) = try (last[numbers] ?? numbers.last(in: database))
      .addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StoreError.damaged("the last number of \(numbers.rawValue) is \(Int.max)")
    }
    last[numbers] = next
    return RowID(next)
  }

  /// Returns the number and the digest of the rules in force; `nil` where none were ever chosen.
  func rules(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> (number: Int, digest: String)? {
    if let known = rules[app] { return known }
    let found = try RuleSetsTable.newest(of: app, in: database)
    rules[app] = .some(found)
    return found
  }

  /// Returns the name of a group, such as `TERN-12`: it keeps it even when it is merged into another.
  func name(of group: RowID<Tables.Groups>, in database: borrowing Connection) throws -> String {
    if let known = names[group] { return known }
    let name = try GroupsTable.name(of: group, in: database)
    names[group] = name
    return name
  }
}
