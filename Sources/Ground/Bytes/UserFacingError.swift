internal import Glibc

/// The kind of a failure: it decides the exit code of a command and the status of a response.
public enum FailureKind: Sendable {
  case failed
  /// The request cannot be met in any state of the home.
  case wrongUsage
  case notFound
  case notAllowed
  /// A server did not respond.
  case unreachable

  /// The kind of a failed system call.
  ///
  /// - Parameter number: An `errno`.
  public init(systemError number: Int32) {
    self =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, EROFS: .notAllowed
      default: .failed
      }
  }
}

/// An error that commands, pages and API responses show to the user.
public protocol UserFacingError: Error {
  /// The lines of the message. They may hold text from outside: escape control characters before printing.
  var userLines: [String] { get }
  /// Default: `failed`.
  var failureKind: FailureKind { get }
}

extension UserFacingError {
  public var failureKind: FailureKind { .failed }
}

extension UserFacingError where Self: CustomStringConvertible {
  /// The description.
  public var userLines: [String] { [description] }
}
