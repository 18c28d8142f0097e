internal import Database

/// Where a submission is on its way through the queue, as `intake.state` has it.
enum IntakeState: Int, SQLBindable {
  /// It came and was not looked at yet, or is to be tried again.
  case waiting = 0
  /// A worker has it.
  case working = 1
  /// It could not be processed, and waits for a person.
  case quarantined = 2
}
