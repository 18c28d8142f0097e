public import CrashModel

/// What became of a submission that left the queue, as it is told to whoever handed it in.
public struct SubmissionVerdict: Equatable, Sendable {
  /// Bytes that reports were read from: the submission itself, or a member of an archive.
  public struct Stored: Equatable, Sendable {
    public var app: String
    /// The SHA-256 of the bytes, in hexadecimal digits.
    public var digest: String

    public init(app: String, digest: String) {
      self.app = app
      self.digest = digest
    }
  }

  /// A file in which no report was found.
  public struct Refused: Equatable, Sendable {
    public var file: String
    public var reason: String

    public init(file: String, reason: String) {
      self.file = file
      self.reason = reason
    }
  }

  public var stored: [Stored]
  public var refused: [Refused]

  public init(stored: [Stored] = [], refused: [Refused] = []) {
    self.stored = stored
    self.refused = refused
  }
}

/// How far a submission is that somebody handed in.
public struct SubmissionStatus: Equatable, Sendable {
  public enum Outcome: Equatable, Sendable {
    /// In the queue, or with a worker.
    case waiting
    /// - Parameter isNew: Whether anything of it was not known before.
    case stored(SubmissionVerdict, isNew: Bool)
    case quarantined(String)
    /// It was quarantined, and then deleted.
    case discarded(String)
  }

  public var id: String
  /// The app that it was handed in for; `nil` where each report names its own.
  public var app: String?
  public var received: Timestamp
  public var outcome: Outcome
}
