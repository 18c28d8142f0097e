public import Bytes
internal import Glibc

/// Why an archive could not be written.
public enum ArchiveWriteError: Error, Equatable, Sendable {
  /// A system call failed, on the archive or on a file that goes into it.
  case file(FileError)
  /// Something exists at the path already.
  case exists(String)
  /// A member's name that could do harm when the archive is unpacked.
  case unsafeName(String)
  /// A member's size differs from the announced one, in bytes.
  case wrongSize(String, announced: Int)
  /// The archive, and the problem as the library reports it.
  case library(String, String)
}

extension ArchiveWriteError {
  /// - Parameter path: Where the archive was to be.
  init(making path: String, _ error: FileError) {
    self = error.code == EEXIST ? .exists(path) : .file(error)
  }
}

extension ArchiveWriteError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .exists(let path): "\(path): already exists"
    case .unsafeName(let name): "not a valid name for a file in an archive: \(name)"
    case .wrongSize(let name, let size): "\(name): its size changed from \(size) bytes"
    case .library(let archive, let message): "\(archive): cannot be written: \(message)"
    }
  }
}

extension ArchiveWriteError: UserFacingError {
  public var userLines: [String] {
    if case .exists = self { ["\(description); --force overwrites it"] } else { [description] }
  }

  public var failureKind: FailureKind {
    if case .file(let error) = self { error.failureKind } else { .failed }
  }
}
