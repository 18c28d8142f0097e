internal import CrashService
internal import Glibc
package import HTTP
package import ServerStore

/// What clients are told where the home fails: in words without its paths, its SQL and its files. Those
/// are for the log.
package enum StorageFailureResponse {
  /// - Returns: `nil` for an error that has nothing to do with the disk.
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

  /// 503 for an error of the disk, which may be over in a while.
  package static func response(to error: any Error) -> Response? {
    describe(error).map { .busy($0.text, code: $0.code) }
  }

  /// 503, and a line in the log with the reason.
  package static func refusal(_ error: IntakeError, _ id: String) -> Response {
    note(error, id)
    return .busy(error.answer, code: code(of: error))
  }

  /// Writes to the log why a request was refused. That the queue is full the figures show.
  package static func note(_ error: any Error, _ id: String) {
    if case .queueFull? = error as? IntakeError { return }
    ServerLog.report(error, id)
  }

  /// Why there is no room on the disk for what a request announces; `nil` where there is.
  package static func refusal(of head: RequestHead, in context: ServerContext) -> Response? {
    do throws(IntakeError) {
      try context.queue.admitFile(of: Int(clamping: head.contentLength ?? 0))
      return nil
    } catch {
      return refusal(error, head.id)
    }
  }

  /// Lets through what `authorization` does, where the disk has room for what is announced.
  package static func authorization(
    _ context: ServerContext, before authorization: @escaping Route.Authorization
  ) -> Route.Authorization {
    { head in try authorization(head) ?? refusal(of: head, in: context) }
  }

  private static let full = "the server's disk is full; try again later"
  private static let failed =
    "the server cannot use its disk at the moment; its log has the reason"
}
