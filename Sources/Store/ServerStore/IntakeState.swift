internal import Database

/// The state of a submission in the queue, as in `intake.state`.
enum IntakeState: Int, SQLBindable {
  /// It was received and not processed yet, or is to be tried again.
  case waiting = 0
  /// A worker has it.
  case working = 1
  /// It could not be processed, and waits for an operator.
  case quarantined = 2
}
