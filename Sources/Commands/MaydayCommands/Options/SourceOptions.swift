import APIDocuments
import Arguments

/// Options for whether source lines are printed, and how many.
struct SourceOptions {
  @Option(
    "--source", implied: 5,
    help:
      "Print source lines around each location if the file is available; 5 by default.",
    value: "LINES")
  var lines: Int?

  /// - Parameter isDocument: Whether a report is printed as JSON, the only format with sources.
  func validate(isDocument: Bool) throws(UsageError) {
    try validate()
    if lines != nil && !isDocument { throw UsageError("--source adds to a report's --json") }
  }

  func validate() throws(UsageError) {
    if let lines, !(1...APILimits.sourceLines).contains(lines) {
      throw UsageError("--source must be a number of lines from 1 to \(APILimits.sourceLines)")
    }
  }
}
