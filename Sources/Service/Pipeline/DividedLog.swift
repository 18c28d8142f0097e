internal import CrashInput

/// Counts a log that is read in parts as one file: with reports if one of its parts has some, refused if none has.
struct DividedLog {
  private var hasReports = false
  private var isDuplicate = false
  private var refusal: RefusedFile?

  /// What one more part counts as.
  enum Count {
    case file, nothing
  }

  /// Must be called for each file before its outcome is counted.
  ///
  /// - Returns: Why the log that came before is refused, if it is.
  mutating func begin(_ part: InputFile.Part) -> RefusedFile? {
    if part == .further { return nil }
    defer { self = DividedLog() }
    return hasReports || isDuplicate ? nil : refusal
  }

  /// Notes that a part has reports; whether that counts a file with reports.
  mutating func countReports() -> Bool {
    defer { hasReports = true }
    return !hasReports
  }

  /// Notes that the bytes of a part were met before; whether that counts a duplicate file.
  mutating func countDuplicate() -> Bool {
    defer { isDuplicate = true }
    return !isDuplicate && !hasReports
  }

  /// Notes that a part has no report.
  mutating func refuse(_ file: RefusedFile) { refusal = refusal ?? file }
}
