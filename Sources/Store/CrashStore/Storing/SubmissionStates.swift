internal import Database
internal import Identifiers

/// Whether the bytes of submissions were stored before, read for many of them at a time.
struct SubmissionStates {
  /// A submission with the row of its app.
  typealias Owned = (submission: PreparedSubmission, app: RowID<Tables.Apps>)

  private var states: [RowKey: CrashStore.Reports.SubmissionState] = [:]

  /// The state of a submission's bytes; `nil` where it was not read.
  subscript(
    submission: PreparedSubmission, app: RowID<Tables.Apps>
  ) -> CrashStore.Reports.SubmissionState? {
    get { states[Self.key(of: submission, app)] }
    set { states[Self.key(of: submission, app)] = newValue }
  }

  static func key(of submission: PreparedSubmission, _ app: RowID<Tables.Apps>) -> RowKey {
    RowKey(app.sqlValue, submission.digest.sqlValue)
  }

  /// The submissions of which something is stored or remembered.
  var known: [RowKey] { states.filter { $0.value != .new }.map(\.key) }

  mutating func add(_ other: SubmissionStates) {
    states.merge(other.states) { _, new in new }
  }

  static func read(
    _ submissions: [Owned], in database: borrowing Connection
  ) throws -> SubmissionStates {
    var states: [RowKey: CrashStore.Reports.SubmissionState] = [:]
    var marks: [RowKey: RowKey] = [:]
    for (submission, app) in submissions {
      let key = key(of: submission, app)
      states[key] = .new
      marks[
        RowKey(app.sqlValue, DeletedReports.mark(of: submission.digest).sqlValue)] = key
    }
    let wanted = Array(states.keys)
    try database.readMany(
      "SELECT problem FROM submissions WHERE app = ?1 AND digest = ?2", wanted
    ) { key, row in
      states[key] = try row.isNull("problem") ? .stored : .unread
    }
    let new = marks.filter { states[$0.value] == .new }.keys
    try database.readMany(
      "SELECT 1 FROM past_submissions WHERE app = ?1 AND digest = ?2", new
    ) { mark, _ in
      if let key = marks[mark] { states[key] = .past }
    }
    var found = SubmissionStates()
    found.states = states
    return found
  }
}

extension KnownApps {
  /// Returns submissions with the rows of their apps, those of unknown apps left out.
  mutating func owned(
    _ submissions: some Sequence<PreparedSubmission>, in database: borrowing Connection
  ) throws -> [SubmissionStates.Owned] {
    var owned: [SubmissionStates.Owned] = []
    for submission in submissions {
      guard let app = try find(submission.app, in: database) else { continue }
      owned.append((submission, app.row))
    }
    return owned
  }
}
