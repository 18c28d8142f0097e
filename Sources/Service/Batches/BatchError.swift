public import Bytes
internal import Compression

/// Why batches cannot be read or merged.
public enum BatchError: Error, Equatable, Sendable {
  /// The file is foreign, of a later version, cut off or damaged.
  case unreadable(path: String, ParseError)
  case file(FileError)
  /// A report, or the list of inputs, has more bytes than a batch may hold.
  case tooLarge(bytes: Int, limit: Int)
  /// Two batches were not made in the same way.
  case different(first: String, second: String, what: String, values: [String])
}

extension BatchError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unreadable(let path, let error) where error.kind == .notRecognised:
      "\(path) is not a file of triage --partial"
    case .unreadable(let path, let error): "\(path) cannot be used: \(error)"
    case .file(let error): error.description
    case .tooLarge(let bytes, let limit):
      "a record of \(bytes) bytes exceeds the limit of \(limit) of a part"
    case .different(let first, let second, let what, let values):
      "\(second) cannot be merged with \(first): they differ in \(what): \(values[1]) and \(values[0])"
    }
  }
}

extension BatchError: UserFacingError {
  public var failureKind: FailureKind {
    if case .file(let error) = self { error.failureKind } else { .failed }
  }
}
