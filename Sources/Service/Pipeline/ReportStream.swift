internal import Bytes
public import CrashInput
internal import CrashModel
internal import Crypto
internal import CrashStore
public import ReportDocument
public import Workers

/// Symbolicates the reports of files on several threads. Results come in the order of the files, with a bounded
/// number of files in memory.
///
/// Nothing is stored. The thread that owns the stream brings the files and takes the results.
public final class ReportStream<Output: Sendable> {
  private typealias Outcome = (progress: FileProgress, result: Result<Output, any Error>)

  private let stream: WorkStream<InputFile, Outcome>
  private let outage: Outage

  /// The error after which no file can be read; used on the owner's thread.
  private final class Outage {
    var error: (any Error)?
  }

  /// - Parameters:
  ///   - processor: Turns the bytes of a file into reports.
  ///   - width: The number of threads.
  ///   - make: Makes the result of a file from its reports, on one of the threads.
  ///   - consume: Takes the result of each file, or the reason why it has none, on the owner's thread.
  ///   - progress: Called after each file, in their order.
  public init(
    by processor: FileProcessor, width: Int = Workers.processorCount,
    make: @escaping @Sendable (_ source: String, [StoredReport]) throws -> Output,
    consume: @escaping (_ source: String, Result<Output, any Error>) -> Void,
    progress: @escaping (FileProgress) -> Void = { _ in }
  ) {
    let outage = Outage()
    self.outage = outage
    stream = WorkStream(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) { file in
      var progress = FileProgress(
        source: file.path, ordinal: file.ordinal, isContinued: false, bytes: file.byteCount)
      let result = Result {
        let bytes = try file.content.get()
        let reports = try processor.process(file, bytes, times: &progress.times)
        progress.reports = reports.count
        progress.format = reports.first?.report.format.description
        let ids = reports.ids(digest: SHA256.digest(of: bytes))
        return try make(
          file.path, zip(ids, reports).map { StoredReport(id: $0, report: $1.report) })
      }
      if case .failure = result { progress.isFailed = true }
      return (progress, result)
    } consume: {
      guard outage.error == nil else { return }
      if case .failure(let error) = $0.result, FileProcessor.isOutage(error) {
        outage.error = error
        return
      }
      consume($0.progress.source, $0.result)
      progress($0.progress)
    }
  }

  /// Brings the next file; files that only belong to a report have no result.
  ///
  /// - Returns: `stop` where the debug files cannot be reached: see ``finish()``.
  public func bring(_ file: InputFile) -> InputStep {
    guard file.companion?.isAttachment != true else { return .next }
    stream.bring(file, weight: file.byteCount)
    return outage.error == nil ? .next : .stop
  }

  /// Waits for the results of all files so far.
  public func drain() { stream.drain() }

  /// Waits for the results and ends the threads. Must be called once.
  ///
  /// - Throws: The error of the debug files where they could not be reached; the files from there on have no
  ///   result.
  public func finish() throws {
    stream.finish()
    if let error = outage.error { throw error }
  }
}
