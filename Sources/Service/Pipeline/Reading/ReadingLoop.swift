internal import Bytes
internal import Files
internal import Glibc
internal import JSON
internal import ReportDocument
internal import ReportFormats

/// Reads files for another process, until that one ends: see ``LimitedProcessor``.
public enum ReadingLoop {
  /// Answers what comes on standard input, on standard output.
  ///
  /// - Parameters:
  ///   - memory: The bytes of memory that this process may have; `nil` for any.
  ///   - describe: The message of an error.
  public static func run(
    by processor: ReportProcessor, memory: Int?, describe: (any Error) -> String
  ) throws {
    if let memory { try limit(memory) }
    let input = try OpenFile.duplicating(STDIN_FILENO, name: "standard input")
    let output = try OpenFile.duplicating(STDOUT_FILENO, name: "standard output")
    while let request = try ReadingMessages.request(from: input) {
      do {
        var document: [UInt8] = []
        for report in try processor.process(content(of: request)) {
          var writer = JSONWriter()
          StoredReport(id: "", report: report.report).write(to: &writer)
          document += ReadingMessages.part(Array(report.app.utf8))
          document += ReadingMessages.part(writer.takeBytes())
        }
        try ReadingMessages.send(document, isFailure: false, to: output)
      } catch let error as ReadingMessages.Failure {
        throw error
      } catch {
        let parsing = error as? ParseError
        let failure = FailedReading(
          reason: parsing?.refusal ?? "\(error)", message: describe(error),
          isForeign: parsing?.kind == .notRecognised,
          outage: FileProcessor.isOutage(error)
            ? (error as? any UserFacingError)?.failureKind ?? .failed : nil)
        try ReadingMessages.send(
          ReadingMessages.document(of: failure), isFailure: true, to: output)
      }
    }
  }

  private static func content(of request: ReadingMessages.Request) throws -> ByteView {
    switch request {
    case .bytes(let bytes): return bytes
    case .path(let path, let size):
      let bytes = try ByteView(mapping: path)
      guard bytes.count == size else {
        throw FileError("read", path: path, code: EIO, detail: "it changed while it was read")
      }
      return bytes
    }
  }

  /// Limits the memory that this process may write to; mapped files do not count.
  private static func limit(_ bytes: Int) throws {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0 else {
      throw FileError("limit", path: "memory", code: errno)
    }
    // A process that reaches it leaves no core file.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
