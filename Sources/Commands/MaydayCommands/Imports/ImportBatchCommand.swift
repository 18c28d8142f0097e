import Arguments
import CommandSupport
import Imports

/// `mayday import batch`
struct ImportBatchCommand: SandboxedCommand {
  static let name = "batch"
  static let summary = "Import the reports of a triage in parts."
  static let discussion = """
    Stores the documents in files of `triage --partial --with-documents`: symbolicated reports, without the \
    files that they were read from. Reports that are in several files count once. The debug files of the home \
    symbolicate what the triage could not.

    A run that was interrupted can simply be repeated. A report whose file is ingested as well counts twice.
    """
  static let examples = [
    Example("mayday import batch *.mdp", "Everything that the tasks of a batch job have read.")
  ]

  @Argument("FILE", help: "Files of triage --partial --with-documents.") var paths: [String]
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    try ImportSession(paths, home, author, output).finish { context, progress in
      try BatchImport(context).run(paths, progress: progress)
    }
  }
}
