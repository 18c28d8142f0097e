/// The work of a living process for a home.
public enum LeaseRole: Sendable {
  /// It stores submissions of the queue.
  case worker
  /// It serves clients, and starts a worker when there is work.
  case server
}
