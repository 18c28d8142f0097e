import Arguments
import CrashStore
import Grouping
import HomeArchive
import JSON
import Pipeline

/// `mayday import`
struct ImportCommand: SandboxedCommand {
  static let name = "import"
  static let summary = "Take over the reports of an export, or of a backup."
  static let discussion = """
    The same bytes count once. Groups meet where they share a key: one that is here keeps its id and \
    state, and gets the notes of the other; one that is new takes over state, assignee and history. \
    Debug files come along, and reports that waited for them are done again.

    What this home's rules of scrubbing mean is taken out; reports that were made by other rules are \
    made again for that.

    Stopped at any instant and run again, it ends as if it had not been stopped.
    """
  static let examples = [Example("mayday import tern.tar.zst", "What `mayday export` wrote.")]

  @Argument("FILE", help: "What `mayday export` or `mayday backup` wrote.") var files: [String]
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    try InputPaths.check(files)
    let store = try home.open()
    var all = ImportCounts()
    for file in files {
      let counts = try take(file, into: store, console)
      all.submissions += counts.submissions
      all.duplicates += counts.duplicates
      all.reports += counts.reports
      all.groups += counts.groups
      all.debugFiles += counts.debugFiles
      all.unfiled += counts.unfiled
      _ = try LateSymbols.run(in: store, console)
    }
    if output.json { try printJSON(all, to: console) }
    let count = GroupText.count
    var words =
      "\(count(all.reports, "report", "reports")) imported, "
      + "\(count(all.groups, "group", "groups")) opened, "
      + "\(count(all.debugFiles, "debug file", "debug files")) added"
    if all.duplicates > 0 {
      words += "; \(count(all.duplicates, "submission", "submissions")) known before"
    }
    console.say(words)
    if all.unfiled > 0 {
      console.warn(
        "\(count(all.unfiled, "submission", "submissions")) that had not been filed when this was"
          + " backed up \(all.unfiled == 1 ? "is" : "are") not taken over: `mayday restore` does")
    }
  }

  private func take(
    _ file: String, into store: CrashStore, _ console: Console
  ) throws -> ImportCounts {
    let bar = ProgressBar("Importing", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    bar.update(0, of: nil)
    return try HomeArchiveReader(file).merge(
      into: store, treatment: try ImportScrubbing(into: store, signer: Signer(rules: .v1))
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
    try console.write(writer.takeBytes())
  }
}
