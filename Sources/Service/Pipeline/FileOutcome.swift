/// The outcome of a file, or of one member of an archive.
public enum FileOutcome: Equatable, Sendable {
  /// Its reports are stored, or were stored before.
  case stored
  /// It was attached to a report.
  case attached
  case refused(String, isForeign: Bool)
}
