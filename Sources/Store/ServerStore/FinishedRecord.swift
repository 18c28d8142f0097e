internal import Identifiers

/// A submission that was stored and is about to leave the queue.
public struct FinishedRecord: Sendable {
  let id: Int
  let isNew: Bool
  let finished: Timestamp
  /// In microseconds.
  let work: Int
  /// The numbers of ignored items in it, by kind.
  let ignored: [String: Int]
  let verdict: SubmissionVerdict
  /// The charge to the rate; `nil` where it contained only what was counted.
  let charge: IntakeCharge?

  /// Created when the whole submission is on disk.
  ///
  /// - Parameters:
  ///   - isNew: Whether anything in it was new.
  ///   - work: The time that threads worked on it, in microseconds, without writing it.
  ///   - ignored: The numbers of ignored items in it, by kind; there are few kinds.
  ///   - verdict: The response to queries about the submission.
  ///   - charge: Its contents beyond what was counted when it was accepted.
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
