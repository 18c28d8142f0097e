internal import Glibc

/// An error that the HTTP core answers or fails with.
public enum HTTPError: Error, Sendable, Equatable {
  /// The request is answered with a problem document; all of it is shown to the client.
  case problem(Problem)
  /// The spool folder cannot be written or read; the number is errno(3)'s.
  case spool(Int32)
  /// The server could not be started, with the system's message.
  case start(String)

  /// A problem that gives only its status and `detail`.
  public static func refused(
    _ status: Status, _ detail: String, code: ProblemCode? = nil, parameter: String? = nil,
    member: String? = nil
  ) -> HTTPError {
    .problem(Problem(status, detail, code: code, parameter: parameter, member: member))
  }

  /// The response shown to the client.
  public var response: Response {
    switch self {
    case .problem(let problem): problem.response
    case .spool(ENOSPC), .spool(EDQUOT):
      .problem(.insufficientStorage, "No space is left for the body.")
    case .spool:
      .problem(.internalServerError, "The body could not be stored.", code: .storageFailed)
    case .start: .problem(.internalServerError)
    }
  }
}

extension HTTPError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .problem(let problem):
      "\(problem.status.code) \(problem.status.reason): \(problem.detail)"
    case .spool(let code): "spool folder: \(String(cString: strerror(code)))"
    case .start(let reason): reason
    }
  }
}
