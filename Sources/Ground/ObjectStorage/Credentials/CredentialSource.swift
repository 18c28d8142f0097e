internal import Files
internal import Identifiers
internal import Synchronization

/// Finds credentials where the AWS tools do, keeps them, and finds them anew before they expire.
///
/// Source: AWS SDKs and Tools Reference Guide, "Standardized credential providers".
final class CredentialSource: Sendable {
  private struct State {
    var current: ObjectCredentials?
    /// The time until which a failed renewal is not tried again, in seconds.
    var pause = 0
  }

  private let find: @Sendable () throws(ObjectStorageError) -> ObjectCredentials
  private let state = Mutex(State())

  /// Seconds before the expiry at which credentials are renewed.
  private static let margin: Int64 = 600
  /// Seconds between tries to renew credentials that are still valid.
  private static let pause = 60

  init(_ find: @escaping @Sendable () throws(ObjectStorageError) -> ObjectCredentials) {
    self.find = find
  }

  /// Credentials for a request at this moment.
  func credentials() throws(ObjectStorageError) -> ObjectCredentials {
    let now = WallClock.seconds
    // Other threads wait: each would ask the same.
    return try state.withLock { (state) throws(ObjectStorageError) in
      if let current = state.current {
        let left = (current.expiry?.seconds ?? .max).subtractingReportingOverflow(Int64(now))
        if left.overflow || left.partialValue > Self.margin { return current }
        if left.partialValue > 0, now < state.pause { return current }
        do throws(ObjectStorageError) {
          let found = try find()
          state.current = found
          return found
        } catch {
          guard left.partialValue > 0 else { throw error }
          state.pause = now + Self.pause
          return current
        }
      }
      let found = try find()
      state.current = found
      return found
    }
  }

  /// Forgets credentials that the server no longer accepts, unless others have taken their place.
  func forget(_ refused: ObjectCredentials) {
    state.withLock {
      if $0.current?.accessKeyID == refused.accessKeyID,
        $0.current?.sessionToken == refused.sessionToken
      {
        $0.current = nil
      }
    }
  }
}
