public import CrashInput
public import CrashModel
public import CrashStore
public import Workers

/// Everything below some paths, stored in a store: the four steps, for many files.
///
/// Files are taken in batches, each of which is on disk as a whole or not at all. Stopped at any
/// instant and run again, the end is the same as without the stop: bytes that were stored before
/// count no second time.
public struct Ingest {
  private let store: CrashStore
  private let processor: ReportProcessor
  private let app: String?
  private let arrivals: Int
  private let width: Int
  private let isLimited: Bool
  private let part: Int
  private let limit: @Sendable (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?

  /// Reports that are stored together: one sync of the disk for all of them.
  private static let part = 4_096

  /// - Parameters:
  ///   - app: The app that every report belongs to; without one, each report names its own.
  ///   - arrivals: What ``CrashStore/DebugFiles/arrivals()`` was before the processor was made;
  ///     reports that could use a debug file that came later are reprocessed by ``LateSymbols``.
  ///   - width: How many threads work.
  ///   - isLimited: Whether reports beyond the daily limit of their group are only counted: those that
  ///     programs send, and not those that a person hands over.
  ///   - part: About how many reports are stored together.
  ///   - mostReports: How many reports are stored of the file with an ordinal, all members of an archive
  ///     together; without it, as many as
  ///     its archive may have.
  public init(
    into store: CrashStore, processor: ReportProcessor, app: String? = nil,
    arrivals: Int = 0, width: Int = Workers.processorCount, isLimited: Bool = false,
    part: Int? = nil, mostReports: (@Sendable (_ ordinal: Int) -> Int)? = nil
  ) {
    self.isLimited = isLimited
    self.part = part ?? Self.part
    limit = { ordinal, archive in
      if let mostReports { return ReportLimit(ofSubmission: mostReports(ordinal)) }
      return archive.map { ReportLimit(of: $0) }
    }
    self.store = store
    self.processor = processor
    self.app = app
    self.arrivals = arrivals
    self.width = width
  }

  /// - Parameters:
  ///   - paths: Files, folders and archives; `-` is standard input.
  ///   - walker: What reads them, with its limits.
  ///   - received: The time that is noted for all of them.
  ///   - attachments: Files for the one report that is there.
  ///   - progress: Told after each file how many are done.
  /// - Throws: The store's error, such as of a full disk; what was stored before it stays stored.
  ///   ``IngestError`` when there are attachments and not one report; nothing is stored then.
  public func run(
    _ paths: [String], walker: InputWalker = InputWalker(), received: Timestamp,
    attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in }
  ) throws -> IngestResult {
    try run(received: received, attaching: attachments, progress: progress) {
      walker.walk(paths, body: $0)
    }
  }

  /// Files what `source` brings, for input that lies in no folder.
  ///
  /// - Parameters:
  ///   - received: The time that is noted, unless `arrival` gives another one.
  ///   - events: Told what becomes of each file and member; it is on the disk when this returns.
  ///   - arrival: When the file with an ordinal came in.
  ///   - source: Hands each file to its argument, in order, until that says to stop.
  /// - Throws: As the other.
  public func run(
    received: Timestamp, attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in },
    events: IngestEvents = IngestEvents(),
    arrival: (@Sendable (_ ordinal: Int) -> Timestamp)? = nil,
    source: (_ bring: (InputFile) -> InputStep) -> Void
  ) throws -> IngestResult {
    let received = received.wholeMicroseconds
    let batch = IngestBatch(
      store: store, app: app, received: received, isLimited: isLimited, attachments: attachments,
      events: events, part: part, limit: limit
    ) { arrival?($0).wholeMicroseconds ?? received }
    // A report that is known is read all the same, to see that it is one.
    let knownApp = attachments.isEmpty ? app : nil
    let stream = WorkStream<InputFile, Outcome>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight
    ) {
      [store, processor, arrivals, limit, isAppGiven = app != nil] file in
      let start = ContinuousClock.now
      var outcome = Outcome(
        of: file, by: processor, app: knownApp, knownTo: store,
        received: arrival?(file.ordinal).wholeMicroseconds ?? received,
        isAppGiven: isAppGiven, arrivals: arrivals, limit: limit(file.ordinal, file.archive))
      outcome.work = start.duration(to: .now)
      return outcome
    } consume: { outcome in
      batch.add(outcome)
      progress(batch.met)
    }
    source { file in
      // What is too much is not read at all.
      let file = batch.refusal(of: file) ?? file
      stream.bring(file, weight: file.byteCount)
      return batch.error == nil ? .next : .stop
    }
    stream.finish()
    batch.finish()
    if let error = batch.error { throw error }
    return batch.result
  }
}
