internal import Batches
internal import Bytes
internal import CrashModel
internal import Synchronization

/// Reads what groups consist of from the part that has it.
///
/// Everything was read once, and was whole, when the groups were made. If it cannot be read again, ``check()`` throws.
final class GroupRecords: Sendable {
  let part: BatchPart
  private let state = Mutex(State())

  private struct State {
    var failure: (any Error)?
    /// The report that was read last: several outputs ask for one after another.
    var report: CrashReport?
    var place: RecordPlace?
  }

  init(_ part: BatchPart) { self.part = part }

  /// The report that represents the class whose record is at a place.
  func exemplar(at place: RecordPlace) -> CrashReport {
    if let known = state.withLock({ $0.place == place ? $0.report : nil }) { return known }
    do {
      let report = try read(place)
      state.withLock {
        $0.place = place
        $0.report = report
      }
      return report
    } catch {
      note(error)
      return CrashReport(format: ReportFormat(""))
    }
  }

  /// - Throws: ``BatchError``; ``ParseError`` if the document of the report is damaged.
  func read(_ place: RecordPlace) throws -> CrashReport {
    var cursor = RecordCursor<ClassFact>(part, from: place, atMost: 1)
    guard let record = try cursor.next() else {
      throw ParseError(.invalid("a class that is not there"), in: "batch classes", at: 0)
    }
    return try record.exemplar.report
  }

  func note(_ error: any Error) { state.withLock { $0.failure = $0.failure ?? error } }

  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// - Throws: The first error since the groups were made.
  func check() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}

/// The reports of one class, in the order of their files.
struct ReportRun: Sendable {
  var start: RecordPlace
  /// The number of records.
  var count = 0
  /// Whether a report has several records, of which only the first counts.
  var hasRepeats = false

  /// Reads a run.
  struct Reader {
    private var cursor: RecordCursor<ReportFact>
    private var known: Set<UInt128>?

    init(_ run: ReportRun, of part: BatchPart) {
      cursor = RecordCursor(part, from: run.start, atMost: run.count)
      known = run.hasRepeats ? [] : nil
    }

    mutating func next() throws(BatchError) -> ReportFact? {
      while let report = try cursor.next() {
        guard known != nil else { return report }
        if known?.insert(ReportDigest.number(ofID: report.id)).inserted == true { return report }
      }
      return nil
    }
  }
}

/// The reports of some classes in the order of their files.
struct ReportRuns {
  private var heap: RecordHeap<Source>

  private struct Source {
    var reader: ReportRun.Reader
    var next: ReportFact
  }

  init(_ runs: [ReportRun], of part: BatchPart) throws(BatchError) {
    var sources: [Source] = []
    for run in runs {
      var reader = ReportRun.Reader(run, of: part)
      if let first = try reader.next() { sources.append(Source(reader: reader, next: first)) }
    }
    heap = RecordHeap(sources) { ReportFact.orderInFiles($0.next, $1.next) < 0 }
  }

  mutating func next() throws(BatchError) -> ReportFact? {
    guard !heap.isEmpty else { return nil }
    return try heap.take { (source) throws(BatchError) in
      let report = source.next
      guard let next = try source.reader.next() else { return (report, false) }
      source.next = next
      return (report, true)
    }
  }
}
