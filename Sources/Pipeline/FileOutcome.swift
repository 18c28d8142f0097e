/// What became of a file, or of one member of an archive.
public enum FileOutcome: Equatable, Sendable {
  /// Its reports are filed, or were before.
  case filed
  /// It belongs to a report now.
  case attached
  case refused(String, isForeign: Bool)
}
