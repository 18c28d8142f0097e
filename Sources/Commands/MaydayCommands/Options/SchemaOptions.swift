import Arguments

/// The schemas for the JSON of a report.
enum ReportSchema: String, CaseIterable, ArgumentValue {
  case mayday
  /// The schema of rust-minidump's `minidump-stackwalk`, which Socorro calls `json_dump`.
  case rustMinidump = "rust-minidump"
}

/// The choice of the schema of a report.
struct SchemaOptions {
  @Option("--schema", help: "The schema of --json.") var schema: ReportSchema?

  /// - Parameter isDocument: Whether a report is printed as JSON.
  func validate(isDocument: Bool) throws(UsageError) {
    if schema != nil && !isDocument { throw UsageError("--schema chooses a form of --json") }
  }

  var chosen: ReportSchema { schema ?? .mayday }
}
