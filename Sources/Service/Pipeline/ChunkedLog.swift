internal import CrashInput

/// Counts a log that is read in parts as one file: with reports if any part has some, refused if none has.
struct ChunkedLog {
  private var hasReports = false
  private var isDuplicate = false
  private var refusal: RefusedFile?

  /// The effect of a further part on the counts.
  enum Count {
    case file, nothing
  }

  /// Begins a file or part. Must be called for each before its outcome is counted.
  ///
  /// - Returns: Why the preceding log is refused, if it is.
  mutating func begin(_ coverage: InputFile.Coverage) -> RefusedFile? {
    if coverage == .further { return nil }
    defer { self = ChunkedLog() }
    return hasReports || isDuplicate ? nil : refusal
  }

  /// Records that a part has reports, and returns whether to count a file with reports.
  mutating func countReports() -> Bool {
    defer { hasReports = true }
    return !hasReports
  }

  /// Records that the bytes of a part are known, and returns whether to count a duplicate file.
  mutating func countDuplicate() -> Bool {
    defer { isDuplicate = true }
    return !isDuplicate && !hasReports
  }

  /// Records that a part has no report.
  mutating func refuse(_ file: RefusedFile) { refusal = refusal ?? file }
}
