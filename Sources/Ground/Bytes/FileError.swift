import Glibc

/// A failed system call on a file.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The operation that failed, in one word: `open`, `read`, `map`.
  public let action: String
  public let path: String
  /// The `errno` that the system returned.
  public let code: Int32
  /// More detail than the code gives, where there is any.
  public let detail: String?

  /// - Parameter code: Default: the current `errno`.
  public init(_ action: String, path: String, code: Int32? = nil, detail: String? = nil) {
    self.action = action
    self.path = path
    self.code = code ?? errno
    self.detail = detail
  }

  /// The problem, without the path: ``detail``, or otherwise the system's text for ``code``.
  public var reason: String {
    if let detail { return detail }
    return unsafe String(cString: strerror(code))
  }

  public var description: String { "\(path): cannot \(action): \(reason)" }
}

extension FileError: UserFacingError {
  public var failureKind: FailureKind { FailureKind(systemError: code) }
}
