/// A submission that was filed, on its way out of the queue.
public struct FinishedRecord: Sendable {
  let id: Int
  let isNew: Bool
  /// In microseconds since 1970.
  let finished: Int
  /// In microseconds.
  let work: Int
  /// What in it nothing was made of, by kind.
  let ignored: [String: Int]

  /// Is made when all of it is on the disk.
  ///
  /// - Parameters:
  ///   - isNew: Whether anything of it was not known before.
  ///   - work: How long threads worked on it, in microseconds, without writing it down.
  ///   - ignored: How much in it nothing was made of, by kind; of kinds there are few.
  public init(_ record: QueuedRecord, isNew: Bool, work: Int, ignored: [String: Int] = [:]) {
    self.init(record, isNew: isNew, work: work, ignored: ignored, finished: IntakeLog.now)
  }

  init(
    _ record: QueuedRecord, isNew: Bool = true, work: Int = 0, ignored: [String: Int] = [:],
    finished: Int
  ) {
    id = record.id
    self.isNew = isNew
    self.finished = finished
    self.work = work
    self.ignored = ignored
  }
}
