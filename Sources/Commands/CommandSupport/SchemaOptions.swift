package import Arguments

/// The schemas for the JSON of a report.
package enum ReportSchema: String, CaseIterable, ArgumentValue {
  case mayday
  /// The schema of rust-minidump's `minidump-stackwalk`, which Socorro calls `json_dump`.
  case rustMinidump = "rust-minidump"
}

/// The choice of the schema of a report.
package struct SchemaOptions {
  @Option("--schema", help: "The schema of --json.") package var schema: ReportSchema?

  package init() {}

  /// - Parameter isDocument: Whether a report is printed as JSON.
  package func validate(isDocument: Bool) throws(UsageError) {
    if schema != nil && !isDocument { throw UsageError("--schema chooses a form of --json") }
  }

  package var chosen: ReportSchema { schema ?? .mayday }
}
