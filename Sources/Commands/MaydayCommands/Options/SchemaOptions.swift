import Arguments

/// Whose members the JSON of a report has.
enum ReportSchema: String, CaseIterable, ArgumentValue {
  case mayday
  /// Of rust-minidump's `minidump-stackwalk`, which Socorro calls `json_dump`.
  case rustMinidump = "rust-minidump"
}

/// The choice between the documents of a report.
struct SchemaOptions {
  @Option("--schema", help: "Whose members --json has.") var schema: ReportSchema?

  /// - Parameter isDocument: Whether a report is printed as JSON.
  func validate(isDocument: Bool) throws(UsageError) {
    if schema != nil && !isDocument { throw UsageError("--schema chooses a form of --json") }
  }

  var chosen: ReportSchema { schema ?? .mayday }
}
