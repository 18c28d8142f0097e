import Arguments

/// The outcome of a watched file once it is stored.
enum StoredFileAction: String, CaseIterable, ArgumentValue {
  case move, keep, delete
}

/// Options for watching folders.
struct WatchOptions {
  @Flag("--watch", help: "Keep running and ingest files as they arrive in the folders.") var isOn
  @Option(
    "--after",
    help: "What to do with ingested files: move them to done/ in the folder, keep or delete them.")
  var after = StoredFileAction.move
  @Option(
    "--settle", help: "Seconds without a change before a file counts as complete.", value: "SECONDS"
  )
  var settle = 2

  /// - Throws: `UsageError` if the options do not go together.
  func validate(paths: [String], hasAttachments: Bool) throws(UsageError) {
    guard isOn else {
      if after != .move { throw UsageError("--after is for --watch") }
      if settle != 2 { throw UsageError("--settle is for --watch") }
      return
    }
    if paths.contains("-") { throw UsageError("--watch is for folders, not standard input") }
    if hasAttachments { throw UsageError("--attach is for one report, --watch for many") }
    guard (0...86_400).contains(settle) else {
      throw UsageError("--settle is a number of seconds from 0 to 86400")
    }
  }
}
