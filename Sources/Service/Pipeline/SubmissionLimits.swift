internal import Archives
internal import CrashInput

/// How much of one submission is taken, whoever sent it.
///
/// The key of an app is in every copy of it, so a stranger may send anything with it: what a submission may become
/// is in proportion to what was sent. Reaching a limit is noted in what is answered about the submission, and in
/// the ledger; what was read until then is stored.
public struct SubmissionLimits: Equatable, Sendable {
  /// The most reports that are stored, and so many logs of crashes and errors of one App Center request.
  public var reports = 1_000
  /// The most files of the archives in it.
  public var members = 2_000
  /// The most archives in it that are opened whatever its size; one more for each 4 KiB.
  public var archives = 100
  /// The most bytes that come out of it, unpacked.
  public var bytes = 1_000_000_000

  /// Bytes that come out for each byte that was sent, beyond the first 32 MiB.
  private static let ratio = 100
  /// Bytes of a submission for which one more archive is opened.
  private static let bytesPerArchive = 4 << 10

  public init() {}

  /// For holders of a token, whom somebody chose: as for files of this machine, but for the number of reports.
  public static var ofTokens: SubmissionLimits {
    var limits = SubmissionLimits()
    limits.reports = 100_000
    limits.members = 200_000
    limits.archives = 1_000
    limits.bytes = 16 << 30
    return limits
  }

  /// The reason that is given for reports beyond the limit.
  static func reason(reports: Int) -> String {
    "limit of \(reports) reports of a submission reached"
  }

  /// What of files and archives is read.
  ///
  /// - Parameters:
  ///   - isOfToken: Whether a token was given.
  ///   - report: The most bytes of one report.
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
