extension WindowsEventReader {
  static let about = FormatDescription(
    title: "Windows' event log", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Events 1000 and 1001 of the Application log, as text in many languages and as XML, `Report.wer`, \
      and the problem signature of its dialogs.
      """,
    facts: [
      (
        "recognised by",
        """
        `Faulting application name: ` and its translations, `Event Name:`, `EventType=` with \
        `Sig[0]`, `Name='AppName'`, or `Application Error` above values without names
        """
      ),
      ("identity", "program with version, path, pid, id of the report"),
      (
        "reason",
        """
        the exception by its name; `AppHang…` is a hang, `CLR20r3` the exception of .NET
        """
      ),
      ("stacks", "one frame: the module and the offset that failed"),
      ("images", "the module with its version, found by name; in `Report.wer` all modules"),
      ("positions", "`exact`"),
      ("not read", "user and computer, times of events, hashed buckets"),
    ])
}
