/// The reason why a submission was not accepted; nothing of it is kept.
public enum IntakeError: Error, Equatable, Sendable {
  /// Too many submissions, or bytes, are waiting.
  case queueFull(waiting: Int, bytes: Int)
  /// The remaining disk space is reserved; both in bytes.
  case reserve(free: UInt64, reserve: UInt64)
  /// The disk is full, or the database has reached its own limit.
  case diskFull(String)
  /// Reading and writing failed, such as on a disk that was made read-only.
  case storage(String)

  /// The text for clients, without paths and files of the server.
  public var answer: String {
    switch self {
    case .queueFull: description
    case .reserve, .diskFull: "the server's disk is full; try again later"
    case .storage: "the server cannot store anything at the moment; its log has the reason"
    }
  }

  /// Whether more disk space would help.
  public var isFull: Bool {
    switch self {
    case .reserve, .diskFull: true
    case .queueFull, .storage: false
    }
  }
}

/// Texts for the log, and for users who run commands on the home.
extension IntakeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .queueFull(let waiting, let bytes):
      "\(waiting) submissions with \(bytes) bytes wait to be processed; try again later"
    case .reserve(let free, let reserve):
      "the disk is full: \(free) bytes are free, and \(reserve) must stay free"
    case .diskFull(let text): "no space: \(text)"
    case .storage(let text): text
    }
  }
}
