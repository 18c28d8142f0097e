internal import Archives
internal import CrashInput

/// Limits on the content of one submission, whoever sent it.
///
/// The key of an app is in every copy of it, so anyone may send anything with it: the work for a submission
/// is limited in proportion to its size. Reaching a limit is recorded in the submission's outcome and in the
/// ledger; what was read until then is stored.
public struct SubmissionLimits: Equatable, Sendable {
  /// The maximum number of stored reports, and of crash and error logs of one App Center request.
  public var reports = 1_000
  /// The maximum number of files in its archives.
  public var members = 2_000
  /// The number of archives in it that are opened whatever its size; one more for each 4 KiB.
  public var archives = 100
  /// The maximum number of decompressed bytes.
  public var bytes = 1_000_000_000

  /// Decompressed bytes for each sent byte, beyond the first 32 MiB.
  private static let ratio = 100
  /// Bytes of a submission for which one more archive is opened.
  private static let bytesPerArchive = 4 << 10

  public init() {}

  /// The limits for tokens, which the operator gave out: as for local files, except for the number of
  /// reports.
  public static var ofTokens: SubmissionLimits {
    var limits = SubmissionLimits()
    limits.reports = 100_000
    limits.members = 200_000
    limits.archives = 1_000
    limits.bytes = 16 << 30
    return limits
  }

  /// Returns the reason given for reports beyond the limit.
  static func reason(reports: Int) -> String {
    "limit of \(reports) reports of a submission reached"
  }

  /// Returns the limits on reading files and archives.
  ///
  /// - Parameters:
  ///   - isOfToken: Whether a token was given.
  ///   - report: The maximum number of bytes of a report.
  func input(isOfToken: Bool, report: Int) -> InputLimits {
    var limits = InputLimits.received(atMost: report)
    limits.archives.members = members
    limits.archives.archives = archives
    limits.archives.totalBytes = bytes
    guard !isOfToken else { return limits }
    limits.archives.bytesPerArchive = Self.bytesPerArchive
    limits.archives.ratio = Self.ratio
    return limits
  }
}
