/// The outcome of a file, or of one member of an archive.
public enum FileOutcome: Equatable, Sendable {
  /// Its reports are stored, or were before.
  case stored
  /// It belongs to a report now.
  case attached
  case refused(String, isForeign: Bool)
}
