public import Archives
internal import Bytes
public import CrashModel
public import CrashStore
internal import Hashing
internal import ReportDocument
internal import ReportFormats
public import Workers

/// Everything below some paths, filed in a store: the four steps, for many files.
///
/// Files are taken in batches, each of which is on disk as a whole or not at all. Stopped at any
/// instant and run again, the end is the same as without the stop: bytes that were filed before
/// count no second time.
public struct Ingest {
  private let store: CrashStore
  private let processor: ReportProcessor
  private let app: String?
  private let arrivals: Int
  private let width: Int

  /// - Parameters:
  ///   - app: The app that every report belongs to; without one, each report names its own.
  ///   - arrivals: What ``CrashStore/arrivals()`` was before the processor was made; reports that
  ///     could use a debug file that came later are done again by ``LateSymbols``.
  ///   - width: How many threads work.
  public init(
    into store: CrashStore, processor: ReportProcessor, app: String? = nil,
    arrivals: Int = 0, width: Int = Workers.processorCount
  ) {
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
  ///   - progress: Told after each file how many are done.
  /// - Throws: The store's error, such as of a full disk; what was filed before it stays filed.
  public func run(
    _ paths: [String], walker: InputWalker = InputWalker(), received: Timestamp,
    progress: @escaping (_ files: Int) -> Void = { _ in }
  ) throws -> IngestResult {
    try run(received: received, progress: progress) { walker.walk(paths, body: $0) }
  }

  /// Files what `source` brings, for input that lies in no folder.
  ///
  /// - Parameters:
  ///   - source: Hands each file to its argument, in order, until that says to stop.
  /// - Throws: As the other.
  public func run(
    received: Timestamp, progress: @escaping (_ files: Int) -> Void = { _ in },
    source: (_ bring: (InputFile) -> InputStep) -> Void
  ) throws -> IngestResult {
    let received = received.wholeMicroseconds
    let batch = IngestBatch(store: store, app: app, received: received)
    let stream = WorkStream<InputFile, Outcome>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight
    ) {
      [store, processor, app, arrivals] file in
      Outcome(
        of: file, by: processor, app: app, knownTo: store, received: received, arrivals: arrivals)
    } consume: { outcome in
      batch.add(outcome)
      progress(batch.result.files)
    }
    source { file in
      stream.bring(file, weight: file.byteCount)
      return batch.error == nil ? .next : .stop
    }
    stream.finish()
    batch.flush()
    if let error = batch.error { throw error }
    return batch.result
  }
}

extension Ingest {
  /// What became of one file.
  struct Outcome: Sendable {
    enum Content: Sendable {
      case prepared([PreparedSubmission])
      /// Filed before, by another run.
      case known
      case refused(String, isForeign: Bool)
      case failed(any Error)
    }

    let source: String
    let digest: [UInt8]
    let content: Content

    init(
      of file: InputFile, by processor: ReportProcessor, app: String?, knownTo store: CrashStore,
      received: Timestamp, arrivals: Int
    ) {
      source = file.path
      switch file.content {
      case .failure(let error):
        digest = []
        content = .refused(error.description, isForeign: error == .debugFile)
      case .success(let bytes):
        let digest = SHA256.digest(of: bytes)
        self.digest = digest
        do {
          if let app, try store.hasSubmission(digest: digest, app: app) {
            content = .known
          } else {
            content = .prepared(
              try Self.prepared(
                bytes, digest: digest, by: processor, source: source, received: received,
                isAppGiven: app != nil, arrivals: arrivals))
          }
        } catch let error as ParseError {
          content = .refused(error.refusal, isForeign: error.kind == .notRecognised)
        } catch {
          content = .failed(error)
        }
      }
    }

    /// The submission, once for each app whose reports it holds.
    private static func prepared(
      _ bytes: ByteView, digest: [UInt8], by processor: ReportProcessor, source: String,
      received: Timestamp, isAppGiven: Bool, arrivals: Int
    ) throws -> [PreparedSubmission] {
      var apps: [(name: String, reports: [(report: CrashReport, document: ByteView)])] = []
      let reports = try processor.process(bytes)
      for (processed, id) in zip(reports, reports.ids(digest: digest)) {
        let index = apps.firstIndex { $0.name == processed.app } ?? apps.endIndex
        if index == apps.endIndex { apps.append((processed.app, [])) }
        let document = processed.report.document(id: id, received: received)
        apps[index].reports.append((processed.report, ByteView(document)))
      }
      return try apps.map { app in
        try PreparedSubmission(
          Submission(
            bytes: bytes, source: source, received: received, app: app.name,
            isAppGiven: isAppGiven),
          reports: app.reports, arrivals: arrivals)
      }
    }
  }
}

/// The batch that is being filled, and what was done so far.
private final class IngestBatch {
  /// A batch ends at so many submissions: one sync of the disk for all of them.
  private static let limit = 256

  private let store: CrashStore
  private let app: String?
  private let received: Timestamp
  private var waiting: [PreparedSubmission] = []
  private var waitingBytes = 0
  private var refusals: [Refusal] = []
  private var groups: [String: Int] = [:]
  private(set) var result = IngestResult()
  private(set) var error: (any Error)?

  init(store: CrashStore, app: String?, received: Timestamp) {
    self.store = store
    self.app = app
    self.received = received
  }

  func add(_ outcome: Ingest.Outcome) {
    guard error == nil else { return }
    result.files += 1
    switch outcome.content {
    case .known: result.duplicates += 1
    case .failed(let error): self.error = error
    case .refused(let reason, let isForeign):
      result.refused.append(
        RefusedFile(source: outcome.source, reason: reason, isForeign: isForeign))
      refusals.append(Refusal(source: outcome.source, reason: reason, digest: outcome.digest))
    case .prepared(let submissions):
      waiting += submissions
      waitingBytes += submissions.reduce(0) { $0 + $1.packedCount }
      if waiting.count >= Self.limit || waitingBytes >= PipelineLimits.bytesInBatch { flush() }
    }
  }

  func flush() {
    guard error == nil else { return }
    do {
      let receipts = waiting.isEmpty ? [] : try store.file(waiting)
      if !refusals.isEmpty { try store.refuse(refusals, app: app, time: received) }
      for receipt in receipts { count(receipt) }
      waiting.removeAll()
      waitingBytes = 0
      refusals.removeAll()
    } catch {
      self.error = error
    }
  }

  private func count(_ receipt: Receipt) {
    if receipt.isDuplicate {
      result.duplicates += 1
      return
    }
    for filed in receipt.reports {
      result.reports += 1
      let index = groups[filed.group] ?? result.groups.count
      if index == result.groups.count {
        groups[filed.group] = index
        result.groups.append((filed.group, 0, false))
      }
      result.groups[index].reports += 1
      if filed.isNewGroup { result.groups[index].isNew = true }
    }
  }
}
