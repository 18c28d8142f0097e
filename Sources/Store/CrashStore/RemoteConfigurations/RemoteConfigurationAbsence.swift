public import Bytes

/// Why there is no remote configuration to show or to go back to.
public struct RemoteConfigurationAbsence: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Cause: Hashable, Sendable {
    /// Nothing was ever published.
    case nothing
    /// No configuration has this number.
    case number(Int)
    /// Only one was published.
    case noFormer
    /// This one is served already.
    case isServed(Int)
  }

  public let app: String
  public let cause: Cause

  public var description: String {
    switch cause {
    case .nothing: "\(app) has no remote configuration: publish one"
    case .number(let number): "\(app) has no remote configuration \(number)"
    case .noFormer: "\(app) has only one remote configuration: there is none to go back to"
    case .isServed(let number): "remote configuration \(number) of \(app) is the one that is served"
    }
  }
}

extension RemoteConfigurationAbsence: UserFacingError {
  public var failureKind: FailureKind {
    switch cause {
    case .nothing, .number: .notFound
    case .noFormer, .isServed: .failed
    }
  }
}
