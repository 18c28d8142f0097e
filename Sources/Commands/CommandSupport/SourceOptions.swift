internal import APIDocuments
package import Arguments

/// Options for whether source lines are printed, and how many.
package struct SourceOptions {
  @Option(
    "--source", implied: 5,
    help:
      "Print source lines around each location if the file is available; 5 by default.",
    value: "LINES")
  package var lines: Int?

  package init() {}

  /// - Parameter isDocument: Whether a report is printed as JSON, the only format with sources.
  package func validate(isDocument: Bool) throws(UsageError) {
    try validate()
    if lines != nil && !isDocument { throw UsageError("--source adds to a report's --json") }
  }

  package func validate() throws(UsageError) {
    if let lines, !(1...APILimits.sourceLines).contains(lines) {
      throw UsageError("--source must be a number of lines from 1 to \(APILimits.sourceLines)")
    }
  }
}
