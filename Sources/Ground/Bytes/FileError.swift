import Glibc

/// A system call on a file that failed.
public struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The operation that failed, in one word: `open`, `read`, `map`.
  public let action: String
  public let path: String
  /// The `errno` that the system answered with.
  public let code: Int32
  /// More than the code says, where there is more to say.
  public let detail: String?

  /// - Parameter code: The current `errno` when it is left out.
  public init(_ action: String, path: String, code: Int32? = nil, detail: String? = nil) {
    self.action = action
    self.path = path
    self.code = code ?? errno
    self.detail = detail
  }

  /// The problem, without the path: ``detail``, else the system's words for ``code``.
  public var reason: String {
    if let detail { return detail }
    return unsafe String(cString: strerror(code))
  }

  public var description: String { "\(path): cannot \(action): \(reason)" }
}
