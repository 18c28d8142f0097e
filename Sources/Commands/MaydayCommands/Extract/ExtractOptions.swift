import Arguments

/// The files to extract from a report.
struct ExtractOptions {
  @Option("--attachment", help: "Print this attachment, or save it with -o FILE.", value: "NAME")
  var attachment: String?
  @Option("-o", "--output", help: "Where to save the attachment.", value: "FILE")
  var output: String?
  @Option(
    "--archive",
    help: "Write the report with everything that belongs to it to a zip; - is standard output.",
    value: "FILE")
  var archive: String?
  @Flag("--force", help: "Overwrite the file given with -o or --archive.") var isForced

  /// - Parameter isOther: Whether another form of output was requested.
  func validate(isOther: Bool) throws(UsageError) {
    if attachment != nil && archive != nil {
      throw UsageError("--archive holds every attachment; leave out --attachment")
    }
    if isOther && (attachment != nil || archive != nil) {
      throw UsageError("--attachment and --archive cannot be combined with another format")
    }
    if output != nil && attachment == nil { throw UsageError("-o is for --attachment NAME") }
    if isForced && output == nil && archive == nil {
      throw UsageError("--force is for -o FILE and --archive FILE")
    }
  }
}
