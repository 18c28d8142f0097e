import Arguments
import CommandSupport
import CrashStore
import Grouping
import HomeArchive
import Imports
import JSON
import Pipeline
import Rendering
import Terminal

/// `mayday import archive`
struct ImportArchiveCommand: SandboxedCommand {
  static let name = "archive"
  static let summary = "Import the reports of an export or a backup."
  static let discussion = """
    The same bytes count only once. Groups that share a key are merged: the existing group keeps \
    its id and status and gets the notes of the other; a new one brings its status, assignee and \
    history. Debug files are imported, and reports that were waiting for them are reprocessed.

    This home's scrubbing rules apply; reports that were stored under other rules are reprocessed.

    A run that was interrupted can simply be repeated.
    """
  static let examples = [
    Example("mayday import archive tern.tar.zst", "A file written by `mayday export`.")
  ]

  @Argument("FILE", help: "A file written by `mayday export` or `mayday backup`.") var files:
    [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check(files)
    if !files.isEmpty, files.allSatisfy(BatchImport.isBatch) {
      return try ImportSession(files, home, AuthorOptions(), output).finish { context, progress in
        try BatchImport(context).run(files, progress: progress)
      }
    }
    let store = try home.open()
    var all = ImportCounts()
    for file in files {
      let counts = try take(file, into: store, console)
      all.submissions += counts.submissions
      all.duplicates += counts.duplicates
      all.reports += counts.reports
      all.groups += counts.groups
      all.debugFiles += counts.debugFiles
      all.queued += counts.queued
      all.quarantined += counts.quarantined
      _ = try ReprocessingJob.run(in: store, console)
    }
    if output.json { try printJSON(all, to: console) }
    let count = GroupText.count
    var words =
      "\(count(all.reports, "report", "reports")) of "
      + "\(count(all.submissions, "submission", "submissions")) imported, "
      + "\(count(all.groups, "group", "groups")) opened, "
      + "\(count(all.debugFiles, "debug file", "debug files")) added"
    if all.duplicates > 0 {
      words += "; \(count(all.duplicates, "submission", "submissions")) known before"
    }
    console.say(words)
    if all.queued > 0 {
      console.warn(
        ArchiveOutput.queue(all.queued, quarantined: all.quarantined).joined(separator: " and ")
          + " of the backup"
          + " \(all.queued == 1 ? "is" : "are") not imported; `mayday restore` restores them")
    }
  }

  private func take(
    _ file: String, into store: CrashStore, _ console: Console
  ) throws -> ImportCounts {
    let bar = ProgressBar("Importing", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    bar.update(0, of: nil)
    return try HomeArchiveReader(file).merge(
      into: store, treatment: try ImportScrubbing(into: store, signer: Signer(rules: .standard))
    ) { bar.update($0, of: $1) }
  }

  private func printJSON(_ counts: ImportCounts, to console: Console) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("schema", 1)
    writer.member("submissions", counts.submissions)
    writer.member("duplicates", counts.duplicates)
    writer.member("reports", counts.reports)
    writer.member("groups", counts.groups)
    writer.member("debug_files", counts.debugFiles)
    writer.endObject()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
