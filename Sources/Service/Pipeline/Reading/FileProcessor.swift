public import Bytes
internal import CrashInput
internal import ObjectStorage

/// Turns a file into reports: in this process, or in others that may take only so much time and memory for it.
public enum FileProcessor: Sendable {
  case direct(ReportProcessor)
  case limited(LimitedProcessor)

  /// Returns all reports in a file, each symbolicated and signed.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Throws: ``ParseError`` if it contains no report; the error of a source of debug files that fails;
  ///   ``FailedReading`` of another process.
  func process(
    _ file: InputFile, _ bytes: ByteView, times: inout ProcessingTimes
  ) throws -> [ProcessedReport] {
    switch self {
    case .direct(let processor): try processor.process(bytes, times: &times)
    case .limited(let processor):
      try times.measure(\.parsing) { try processor.process(file, bytes) }
    }
  }
}

extension FileProcessor {
  /// Lets other processes end what they do for later runs, and waits for them. Nothing may be read any more.
  public func finish() {
    if case .limited(let processor) = self { processor.finish() }
  }
}

/// A file could not be read by another process.
public struct FailedReading: Error, Sendable, Equatable {
  /// The reason, for a list of files.
  public var reason: String
  /// The reason as an error of the command.
  public var message: String
  /// Whether the file is something other than a report.
  public var isForeign: Bool
  /// Set where the debug files cannot be reached, so that no report can be read.
  public var outage: FailureKind?
}

extension FailedReading: UserFacingError {
  public var userLines: [String] { [message] }
  public var failureKind: FailureKind { outage ?? .failed }
}

extension FileProcessor {
  /// Whether an error of ``process(_:_:times:)`` concerns all files, so that reading ends: the debug files cannot
  /// be reached. Otherwise each report would wait for them, and none would have its symbols.
  static func isOutage(_ error: any Error) -> Bool {
    switch error {
    case let error as ObjectStorageError: error.isOutage
    case let error as FailedReading: error.outage != nil
    default: false
    }
  }
}

extension ObjectStorageError {
  /// Whether requests for other objects will fail, too: the server, the bucket, or the permission is missing.
  fileprivate var isOutage: Bool {
    switch kind {
    case .unreachable, .notAllowed, .configuration: true
    case .notFound: code == "NoSuchBucket"
    case .changed, .outOfRange, .tooLarge, .malformed, .local, .refused: false
    }
  }
}
