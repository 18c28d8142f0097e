public import Archives
public import Bytes

/// The reason why a file that was found has no bytes.
public enum InputError: Error, Equatable, Sendable {
  /// A system call failed.
  case file(FileError)
  /// The file exceeds the size limit: the limit in bytes, and the size if it is known.
  case tooLarge(limit: Int, size: Int?)
  /// Not a regular file: a named pipe, a socket, a device.
  case special(String)
  /// A program, a library or debug information: not a crash report.
  case debugFile
  /// A program's text.
  case sourceCode
  /// An archive, or a member of it, that cannot be read.
  case archive(ArchiveError)
  /// A file at an address that cannot be fetched: the reason, with the address.
  case remote(String)
  /// A limit of the archive or log that contains the file was reached: a description of the limit.
  case limit(String)
}

extension InputError: CustomStringConvertible {
  /// The problem, without the path.
  public var description: String {
    switch self {
    case .file(let error): "cannot \(error.action): \(error.reason)"
    case .tooLarge(let limit, let size?): "\(size) bytes exceed the limit of \(limit)"
    case .tooLarge(let limit, nil): "larger than the limit of \(limit) bytes"
    case .special(let kind): "\(kind), not a file"
    case .debugFile: "a program or debug file, not a crash report: pass it with --symbols"
    case .sourceCode: "source code, not a crash report"
    case .archive(let error): error.reason
    case .remote(let words), .limit(let words): words
    }
  }
}

extension InputError: UserFacingError {
  public var failureKind: FailureKind {
    switch self {
    case .file(let error): error.failureKind
    case .archive(let error): error.failureKind
    case .tooLarge, .special, .debugFile, .sourceCode, .remote, .limit: .failed
    }
  }
}
