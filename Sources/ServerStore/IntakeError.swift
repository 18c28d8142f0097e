/// Why a submission was not accepted; nothing of it is kept.
public enum IntakeError: Error, Equatable, Sendable {
  /// So much waits already.
  case queueFull(waiting: Int, bytes: Int)
  /// The disk, or the database's own limit.
  case diskFull(String)
  /// Reading and writing failed, such as on a disk that was made read-only.
  case storage(String)
}

extension IntakeError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .queueFull(let waiting, let bytes):
      "\(waiting) submissions with \(bytes) bytes wait to be processed; try again later"
    case .diskFull(let text): "no room: \(text)"
    case .storage(let text): text
    }
  }
}
