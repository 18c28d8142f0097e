@testable import ServerStore

extension [QueuedRecord] {
  /// Done submissions, as when they are stored, all of them new.
  var done: [FinishedRecord] { map { FinishedRecord($0, isNew: true, work: 0) } }
}
