/// The steps that bring a database to the form that the program knows, numbered from 1.
///
/// A step that was released is never changed; a change of the schema is a new step. The number of
/// the last step that ran is kept in the database, with the program's mark: in SQLite as `user_version` and
/// `application_id`.
public struct Migrations: Sendable {
  /// The program's mark.
  private let application: Int
  /// The SQL of each step; the first is step 1.
  private let steps: [String]

  public init(application: Int32, steps: [String]) {
    self.application = Int(application)
    self.steps = steps
  }

  /// The version that ``apply(to:)`` brings a database to.
  public var version: Int { steps.count }

  /// Runs the steps that the database has not seen, all or none of them.
  ///
  /// - Parameter last: The last step to run, such as to take in what an older program wrote; `nil` for
  ///   all.
  /// - Throws: ``DatabaseError`` of kind ``DatabaseError/Kind/wrongVersion`` when the database was
  ///   made by a newer program or by another one, naming both versions; nothing is changed then.
  public func apply(to connection: borrowing Connection, upTo last: Int? = nil) throws {
    let last = min(max(last ?? version, 0), version)
    // Read as of one moment: another process may be making the same database.
    if try connection.snapshot({ try pendingSteps($0) }).lowerBound >= last { return }
    try connection.transaction { connection in
      // Another process may have been faster.
      let pending = try pendingSteps(connection)
      guard pending.lowerBound < last else { return }
      for index in pending.lowerBound..<last {
        try connection.execute(steps[index])
      }
      try connection.driver.setSchema(application: application, version: last)
    }
  }

  private func pendingSteps(
    _ connection: borrowing Connection
  ) throws(DatabaseError) -> Range<Int> {
    let state = try connection.driver.schemaState()
    let found = state.version
    guard state.application == application || (state.isEmpty && found == 0) else {
      throw DatabaseError(wrongVersion: "the database of another program", path: connection.path)
    }
    guard (0...version).contains(found) else {
      throw DatabaseError(
        wrongVersion: "made by a newer version of the program: its schema version is"
          + " \(found); this version of Mayday reads up to \(version)", path: connection.path)
    }
    return found..<version
  }
}
