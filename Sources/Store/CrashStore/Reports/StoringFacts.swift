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
  private var numbered: Set<RowNumbers> = []

  /// Returns the app of this name; creates it if it is new.
  func app(named name: String, in database: borrowing Connection) throws -> AppsTable.App {
    try apps.app(named: name, in: database)
  }

  /// Returns how many debug files have ever arrived.
  func arrivals(in database: borrowing Connection) throws -> Int {
    if let arrivals { return arrivals }
    let count = try WaitingReports.arrivals(in: database)
    arrivals = count
    return count
  }

  /// Returns the number of a new row; `nil` where the database chooses one that was never used, as it does
  /// after the first row.
  func next(_ numbers: RowNumbers, in database: borrowing Connection) throws -> Int? {
    numbered.insert(numbers).inserted ? try numbers.next(in: database) : nil
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
