extension MicrodumpReader {
  static let about = FormatDescription(
    title: "Microdump", family: .dumps, symbols: .resolved, since: "0.1.0",
    introduction: """
      What Breakpad prints to the log of a telephone where it may not write files.
      """,
    facts: [
      (
        "recognised by",
        """
        `-----BEGIN BREAKPAD MICRODUMP-----`, with or without logcat's prefix; a log may hold \
        several
        """
      ),
      ("identity", "app and version, system, architecture"),
      ("reason", "signal and address, if the writer gives them"),
      ("stacks", "of the thread that crashed, walked in the part of the stack that was printed"),
      ("images", "debug id, range, name"),
      ("tags", "`gpu`, `cpu.count`"),
      ("positions", "as of minidumps"),
    ])
}
