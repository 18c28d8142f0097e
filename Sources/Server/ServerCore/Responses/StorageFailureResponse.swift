internal import CrashService
internal import Glibc
package import HTTP
package import ServerStore

/// Responses for failures of the home, without its paths, SQL and files. Those are only logged.
package enum StorageFailureResponse {
  /// - Returns: `nil` for an error unrelated to the disk.
  package static func text(for error: any Error) -> String? { describe(error)?.text }

  private static func describe(_ error: any Error) -> (text: String, code: ProblemCode)? {
    if let error = error as? IntakeError { return (error.answer, code(of: error)) }
    if case .spool(let code)? = error as? HTTPError {
      return [ENOSPC, EDQUOT, EFBIG].contains(code)
        ? (full, .storageFull) : (failed, .storageFailed)
    }
    return switch StorageCause(of: error) {
    case .noRoom: (full, .storageFull)
    case .readOnly, .disk, .damaged: (failed, .storageFailed)
    case .locked: ("the server is busy; try again later", .busy)
    case nil: nil
    }
  }

  package static func code(of error: IntakeError) -> ProblemCode {
    switch error {
    case .queueFull, .reserve, .diskFull: .storageFull
    case .storage: .storageFailed
    }
  }

  /// Returns 503 for a disk error, which may be temporary.
  package static func response(to error: any Error) -> Response? {
    describe(error).map { .busy($0.text, code: $0.code) }
  }

  /// Returns 503, and logs the reason.
  package static func refusal(_ error: IntakeError, _ id: String) -> Response {
    note(error, id)
    return .busy(error.answer, code: code(of: error))
  }

  /// Logs why a request was refused, except for a full queue, which the metrics show.
  package static func note(_ error: any Error, _ id: String) {
    if case .queueFull? = error as? IntakeError { return }
    ServerLog.report(error, id)
  }

  /// Returns a refusal if the disk has no room for the announced length; `nil` otherwise.
  package static func refusal(of head: RequestHead, in context: ServerContext) -> Response? {
    do throws(IntakeError) {
      try context.queue.admitFile(of: Int(clamping: head.contentLength ?? 0))
      return nil
    } catch {
      return refusal(error, head.id)
    }
  }

  /// Returns an authorization that also requires room on the disk for the announced length.
  package static func authorization(
    _ context: ServerContext, before authorization: @escaping Route.Authorization
  ) -> Route.Authorization {
    { head in try authorization(head) ?? refusal(of: head, in: context) }
  }

  private static let full = "the server's disk is full; try again later"
  private static let failed =
    "the server cannot use its disk at the moment; its log has the reason"
}
