internal import CrashInput

/// The maximum number of reports stored of one submission, or of one archive.
struct ReportLimit: Sendable {
  let most: Int
  /// The reason given for the reports beyond it.
  let reason: String
  /// Whether it limits an archive, regardless of the sender.
  let isOfArchive: Bool

  init(ofSubmission most: Int) {
    self.most = most
    reason = SubmissionLimits.reason(reports: most)
    isOfArchive = false
  }

  init(of archive: InputFile.Archive) {
    most = archive.mostReports
    reason =
      "limit of \(most) reports of an archive of \(archive.bytes) bytes reached; unpack it to read all"
    isOfArchive = true
  }
}
