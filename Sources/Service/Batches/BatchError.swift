public import Bytes
internal import Compression

/// Why batches cannot be read or merged.
public enum BatchError: Error, Equatable, Sendable {
  /// The file is foreign, of a later version, cut off or damaged.
  case unreadable(path: String, ParseError)
  case file(FileError)
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
