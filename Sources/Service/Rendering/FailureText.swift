package import Bytes
internal import CrashService
internal import ServerStore

/// The text and the kind of any error, as commands, pages and API responses show it.
package enum FailureText {
  /// - Parameter namesCommands: Whether the message may say which command shows more.
  package static func describe(
    _ error: any Error, namesCommands: Bool = true
  ) -> (message: String, kind: FailureKind) {
    switch error {
    case let error as ServiceError: (error.message, error.kind)
    case let error as UnknownID: describe(unknown: error, namesCommands)
    case let error as any UserFacingError:
      (error.userLines.map(\.printable).joined(separator: "\n"), error.failureKind)
    default:
      // Such as a database on a disk that may not be written to.
      ("\(error)".printable, StorageCause(of: error) == .readOnly ? .notAllowed : .failed)
    }
  }

  private static func describe(
    unknown error: UnknownID, _ namesCommands: Bool
  ) -> (message: String, kind: FailureKind) {
    switch error.cause {
    case .notFound(let near):
      (NearMatchText.notFound(error.id, near, namesCommands: namesCommands), .notFound)
    case .ambiguous(let reports): (NearMatchText.ambiguous(error.id, reports), .failed)
    }
  }
}
