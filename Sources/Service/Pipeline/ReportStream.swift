internal import Bytes
public import CrashInput
internal import Crypto
internal import CrashStore
public import ReportDocument
public import Workers

/// Symbolicates the reports of files on several threads. Results come in the order of the files, with a bounded
/// number of files in memory.
///
/// Nothing is stored. The thread that owns the stream brings the files and takes the results.
public final class ReportStream<Output: Sendable> {
  private let stream: WorkStream<InputFile, (source: String, result: Result<Output, any Error>)>

  /// - Parameters:
  ///   - processor: Turns the bytes of a file into reports.
  ///   - width: The number of threads.
  ///   - make: Makes the result of a file from its reports, on one of the threads.
  ///   - consume: Takes the result of each file, or the reason why it has none, on the owner's thread.
  public init(
    by processor: ReportProcessor, width: Int = Workers.processorCount,
    make: @escaping @Sendable (_ source: String, [StoredReport]) throws -> Output,
    consume: @escaping (_ source: String, Result<Output, any Error>) -> Void
  ) {
    stream = WorkStream(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) { file in
      (
        file.path,
        Result {
          let bytes = try file.content.get()
          let reports = try processor.process(bytes)
          let ids = reports.ids(digest: SHA256.digest(of: bytes))
          return try make(
            file.path, zip(ids, reports).map { StoredReport(id: $0, report: $1.report) })
        }
      )
    } consume: {
      consume($0.source, $0.result)
    }
  }

  /// Brings the next file; files that only belong to a report have no result.
  public func bring(_ file: InputFile) {
    guard file.companion?.isAttachment != true else { return }
    stream.bring(file, weight: file.byteCount)
  }

  /// Waits for the results of all files so far.
  public func drain() { stream.drain() }

  /// Waits for the results and ends the threads. Must be called once.
  public func finish() { stream.finish() }
}
