internal import Database

/// Reports of one transaction that get other stacks, or keys.
///
/// Counts of stacks that keep a report are changed in memory and written together. Where a key gets a stack or
/// loses one, ``KeyStacks`` decides, as if every report had come by itself.
struct KeyStackChanges {
  /// The number of reports of each stack of a key.
  private var counts: [RowKey: Int] = [:]
  /// The stacks that reports have or had, by the app and the key.
  private let wanted: [RowKey: Set<RowKey>]
  private var sums = RowSums()

  /// - Parameter stacks: The app, the key and the stack of each report, before and now.
  init(_ stacks: [RowKey], in database: borrowing Connection) throws {
    var wanted: [RowKey: Set<RowKey>] = [:]
    for stack in stacks { wanted[Self.key(of: stack), default: []].insert(stack) }
    self.wanted = wanted
    try read(Set(stacks).sorted(), in: database)
  }

  private static func key(of stack: RowKey) -> RowKey { RowKey(stack.values[0], stack.values[1]) }

  private mutating func read(_ stacks: [RowKey], in database: borrowing Connection) throws {
    try database.readMany(
      "SELECT reports FROM key_stacks WHERE app = ?1 AND key = ?2 AND variant = ?3", stacks
    ) { stack, row in counts[stack] = try row.int("reports") }
  }

  /// Counts a report under its stack; see ``KeyStacks/add(_:in:)``.
  mutating func add(
    _ report: ReportRow, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    guard report.features != nil else { return false }
    let stack = KnownRows.keyStack(of: report, app: app)
    if let count = counts[stack] {
      counts[stack] = count + 1
      sums.add(1, to: stack)
      return false
    }
    return try changing(stack, in: database) { database in
      try KeyStacks(of: app).add(report, in: database)
    }
  }

  /// Removes a report from the stack that it had; see ``KeyStacks/remove(variant:of:in:)``.
  mutating func remove(
    variant: String, of key: String, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Bool {
    let stack = RowKey(app.sqlValue, key.sqlValue, variant.sqlValue)
    guard let count = counts[stack] else { return false }
    if count > 1 {
      counts[stack] = count - 1
      sums.add(-1, to: stack)
      return false
    }
    return try changing(stack, in: database) { database in
      try KeyStacks(of: app).remove(variant: variant, of: key, in: database)
    }
  }

  /// Makes a change that may bring or delete any stack of a key.
  private mutating func changing(
    _ stack: RowKey, in database: borrowing Connection,
    _ change: (borrowing Connection) throws -> Bool
  ) throws -> Bool {
    try write(to: database)
    let result = try change(database)
    let stacks = wanted[Self.key(of: stack), default: []]
    for stack in stacks { counts[stack] = nil }
    try read(stacks.sorted(), in: database)
    return result
  }

  /// Writes the counts.
  mutating func write(to database: borrowing Connection) throws {
    try database.runMany(
      "UPDATE key_stacks SET reports = reports + ?4 WHERE app = ?1 AND key = ?2 AND variant = ?3",
      sums.sorted.map { $0.key.values + [$0.amount.sqlValue] })
    sums = RowSums()
  }
}
