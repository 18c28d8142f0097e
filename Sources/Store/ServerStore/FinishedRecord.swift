internal import CrashModel

/// A submission that was stored, on its way out of the queue.
public struct FinishedRecord: Sendable {
  let id: Int
  let isNew: Bool
  let finished: Timestamp
  /// In microseconds.
  let work: Int
  /// What in it nothing was made of, by kind.
  let ignored: [String: Int]
  let verdict: SubmissionVerdict
  /// What is charged to the rate; `nil` where it held what was counted.
  let charge: IntakeCharge?

  /// Is made when all of it is on the disk.
  ///
  /// - Parameters:
  ///   - isNew: Whether anything of it was not known before.
  ///   - work: How long threads worked on it, in microseconds, without writing it down.
  ///   - ignored: How much in it nothing was made of, by kind; of kinds there are few.
  ///   - verdict: The answer to whoever asks about the submission.
  ///   - charge: What it held beyond what was counted when it was accepted.
  public init(
    _ record: QueuedRecord, isNew: Bool, work: Int, ignored: [String: Int] = [:],
    verdict: SubmissionVerdict = SubmissionVerdict(), charge: IntakeCharge? = nil
  ) {
    self.init(
      record, isNew: isNew, work: work, ignored: ignored, verdict: verdict, charge: charge,
      finished: IntakeLog.now)
  }

  init(
    _ record: QueuedRecord, isNew: Bool = true, work: Int = 0, ignored: [String: Int] = [:],
    verdict: SubmissionVerdict = SubmissionVerdict(), charge: IntakeCharge? = nil,
    finished: Timestamp
  ) {
    self.charge = charge
    self.verdict = verdict
    id = record.id
    self.isNew = isNew
    self.finished = finished
    self.work = work
    self.ignored = ignored
  }
}
