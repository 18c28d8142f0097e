import Arguments
import CrashService
import Pipeline

/// Options for how much to read of one submission with an app's key or secret.
struct SubmissionOptions {
  private static let usual = SubmissionLimits()

  @Option(
    "--submission-reports",
    help: "How many reports of one submission with an app's key or secret to store.", value: "N")
  var reports = Self.usual.reports
  @Option(
    "--submission-files", help: "How many files of the archives in such a submission to read.",
    value: "N")
  var members = Self.usual.members
  @Option(
    "--submission-archives",
    help: "How many archives in such a submission to open, and one more for each 4 KiB of it.",
    value: "N")
  var archives = Self.usual.archives
  @Option(
    "--submission-bytes", help: "How much of such a submission to read, unpacked.", value: "SIZE")
  var bytes = ByteSize(Self.usual.bytes)

  func check() throws(UsageError) {
    for (name, value) in [
      ("--submission-reports", reports), ("--submission-files", members),
      ("--submission-archives", archives), ("--submission-bytes", bytes.bytes),
    ] where value < 1 {
      throw UsageError("\(name) must be 1 or more")
    }
  }

  var limits: SubmissionLimits {
    var limits = SubmissionLimits()
    limits.reports = reports
    limits.members = members
    limits.archives = archives
    limits.bytes = bytes.bytes
    return limits
  }
}
