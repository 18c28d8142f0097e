internal import Glibc

/// What the HTTP core itself may answer or fail with.
public enum HTTPError: Error, Sendable, Equatable {
  /// The request is answered with a problem document; `detail` is shown to the client.
  case refused(Status, String)
  /// The spool folder cannot take or give back bytes; the number is errno(3)'s.
  case spool(Int32)
  /// The server could not be started, in the words of the system.
  case start(String)

  /// What a client is told of it.
  public var response: Response {
    switch self {
    case .refused(let status, let detail): .problem(status, detail)
    case .spool(ENOSPC), .spool(EDQUOT):
      .problem(.insufficientStorage, "No space is left for the body.")
    case .spool: .problem(.internalServerError, "The body could not be stored.")
    case .start: .problem(.internalServerError)
    }
  }
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let status, let detail): "\(status.code) \(status.reason): \(detail)"
    case .spool(let code): "spool folder: \(String(cString: strerror(code)))"
    case .start(let reason): reason
    }
  }
}
