public import Identifiers

/// The outcome of a submission that left the queue, as reported to its sender.
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

  /// Reports that were only counted.
  public struct Counted: Equatable, Sendable {
    public var app: String
    /// `TERN-12`, the name at the time.
    public var group: String
    public var reports: Int

    public init(app: String, group: String, reports: Int) {
      self.app = app
      self.group = group
      self.reports = reports
    }
  }

  public var stored: [Stored]
  public var counted: [Counted]
  public var refused: [Refused]

  public init(stored: [Stored] = [], counted: [Counted] = [], refused: [Refused] = []) {
    self.stored = stored
    self.counted = counted
    self.refused = refused
  }

  /// Adds a report that was only counted.
  public mutating func count(in group: String, of app: String) {
    if let index = counted.firstIndex(where: { $0.group == group && $0.app == app }) {
      counted[index].reports += 1
    } else {
      counted.append(Counted(app: app, group: group, reports: 1))
    }
  }
}

/// The status of a submission, for its sender.
public struct SubmissionStatus: Equatable, Sendable {
  public enum State: Equatable, Sendable {
    /// Waiting in the queue, or with a worker.
    case waiting
    /// - Parameter isNew: Whether anything in it was new.
    case stored(SubmissionVerdict, isNew: Bool)
    case quarantined(String)
    /// Quarantined, and then deleted.
    case discarded(String)
  }

  public var id: String
  /// The app that it was submitted for; `nil` where each report names its own.
  public var app: String?
  public var received: Timestamp
  public var outcome: State
}
