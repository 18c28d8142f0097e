internal import Bytes
internal import Database
internal import Glibc

/// The reason why a home cannot be written to or read, if it is external to the program: its disk, its
/// permissions, its files.
public enum StorageCause: Sendable {
  /// The disk, a quota or the maximum file size is exceeded.
  case noRoom
  /// The file system is mounted read-only, or files may not be written to.
  case readOnly
  case damaged
  /// The disk failed.
  case disk
  /// Another process held a database for too long.
  case locked

  /// - Returns: `nil` for another kind of error, such as a bug in the program.
  public init?(of error: any Error) {
    switch error {
    case let error as FileError:
      switch error.code {
      case ENOSPC, EDQUOT, EFBIG: self = .noRoom
      case EROFS, EACCES, EPERM: self = .readOnly
      case EIO: self = .disk
      default: return nil
      }
    case let error as DatabaseError:
      switch error.kind {
      case .full: self = .noRoom
      case .readOnly: self = .readOnly
      case .corrupt: self = .damaged
      case .io, .cannotOpen: self = .disk
      case .locked: self = .locked
      case .constraint, .wrongVersion, .other: return nil
      }
    case let error as IntakeError:
      switch error {
      case .reserve, .diskFull: self = .noRoom
      case .storage: self = .disk
      case .queueFull: return nil
      }
    default: return nil
    }
  }
}
