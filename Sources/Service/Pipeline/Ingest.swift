public import CrashInput
public import CrashStore
public import Identifiers
public import Workers

/// Ingests all files below some paths into a store: the four steps, for many files.
///
/// Files are processed in batches, each of which is on disk completely or not at all. It can be interrupted
/// at any time and run again with the same result: bytes that were stored before are not counted again.
public struct Ingest {
  private let store: CrashStore
  private let processor: ReportProcessor
  private let app: String?
  private let arrivals: Int
  private let width: Int
  private let isLimited: Bool
  private let part: Int
  private let limit: @Sendable (_ ordinal: Int, _ archive: InputFile.Archive?) -> ReportLimit?
  private let progress: (@Sendable (_ ordinal: Int) -> IntakeProgress)?

  /// - Parameters:
  ///   - app: The app that every report belongs to; without one, each report names its own.
  ///   - arrivals: The value of ``CrashStore/DebugFiles/arrivals()`` before the processor was made; reports
  ///     that could use a debug file added later are reprocessed by ``ReprocessingJob``.
  ///   - width: The number of threads.
  ///   - isLimited: Whether reports beyond the daily limit of their group are only counted, as for reports
  ///     sent by programs rather than by a user.
  ///   - part: The approximate number of reports stored together.
  ///   - mostReports: The maximum number of reports stored of the file with an ordinal, all members of an
  ///     archive together. Default: the limit of its archive.
  ///   - progress: Of files that a queue has handed out, what is known of the file with an ordinal: outcomes
  ///     that the ledger has are not counted again.
  public init(
    into store: CrashStore, processor: ReportProcessor, app: String? = nil,
    arrivals: Int = 0, width: Int = Workers.processorCount, isLimited: Bool = false,
    part: Int? = nil, progress: (@Sendable (_ ordinal: Int) -> IntakeProgress)? = nil,
    mostReports: (@Sendable (_ ordinal: Int) -> Int)? = nil
  ) {
    self.progress = progress
    self.isLimited = isLimited
    self.part = part ?? PipelineLimits.reportsInBatch
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
  ///   - walker: The reader of the files, with its limits.
  ///   - received: The time recorded for all of them.
  ///   - attachments: Files for the only report.
  ///   - progress: Called after each file with the number of finished files.
  /// - Throws: The store's error, such as on a full disk; what was stored before stays stored.
  ///   ``IngestError`` if there are attachments and not exactly one report; then nothing is stored.
  public func run(
    _ paths: [String], walker: InputWalker = InputWalker(), received: Timestamp,
    attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in }
  ) throws -> IngestResult {
    try run(received: received, attaching: attachments, progress: progress) {
      walker.walk(paths, body: $0)
    }
  }

  /// Stores the files of `source`, for input that is not in a folder.
  ///
  /// - Parameters:
  ///   - received: The time recorded, unless `arrival` returns another one.
  ///   - arrival: Returns when the file with an ordinal arrived.
  ///   - storing: Called before a batch is stored with the number of its reports and their compressed bytes.
  ///     An error ends the work; what was stored before stays stored.
  ///   - onResult: Called with the result of each file, member and part, in order: once those before it are
  ///     stored, and for an attachment once its report is found. All of it is on disk when this returns.
  ///   - source: Passes each file to its argument, in order, until that returns to stop.
  /// - Throws: See ``run(_:walker:received:attachments:progress:)``.
  public func run(
    received: Timestamp, attaching attachments: [PreparedAttachment] = [],
    progress: @escaping (_ files: Int) -> Void = { _ in },
    arrival: (@Sendable (_ ordinal: Int) -> Timestamp)? = nil,
    storing: @escaping (_ reports: Int, _ bytes: Int) throws -> Void = { _, _ in },
    onResult: @escaping (FileResult) -> Void = { _ in },
    source: (_ bring: (InputFile) -> InputStep) -> Void
  ) throws -> IngestResult {
    let received = received.wholeMicroseconds
    let batch = IngestBatch(
      store: store, app: app, received: received, isLimited: isLimited, attachments: attachments,
      part: part, limit: limit, arrival: { arrival?($0).wholeMicroseconds ?? received },
      before: self.progress,
      storing: storing, onResult: onResult)
    // A known report is parsed anyway, to check that it is one.
    let knownApp = attachments.isEmpty ? app : nil
    let stream = WorkStream<InputFile, IngestedFile>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) {
      [store, processor, arrivals, limit, before = self.progress, isAppGiven = app != nil] file in
      let start = ContinuousClock.now
      var outcome = IngestedFile(
        of: file, by: processor, app: knownApp, knownTo: store,
        received: arrival?(file.ordinal).wholeMicroseconds ?? received,
        isAppGiven: isAppGiven, arrivals: arrivals, limit: limit(file.ordinal, file.archive),
        isBegun: before.map { $0(file.ordinal).outcomes > 0 } ?? false)
      outcome.work = start.duration(to: .now)
      return outcome
    } consume: { outcome in
      batch.add(outcome)
      progress(batch.met)
    }
    source { file in
      // Files beyond the limit are not read at all.
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
