extension ValgrindReader {
  static let about = FormatDescription(
    title: "Valgrind", family: .nativeCode, symbols: .printed, since: "0.1.0",
    introduction: "What Memcheck, Helgrind and DRD find, and deaths of the program under them.",
    facts: [
      ("recognised by", "`==PID==    at 0x…` below a heading"),
      ("identity", "program and pid"),
      (
        "reason",
        """
        the heading (`Invalid read of size 8`), the address; a death that follows at once gives the \
        signal and is the same report. Errors after which the program goes on are `handled`
        """
      ),
      ("stacks", "the thread's, and those of the memory and of the other access"),
      ("positions", "youngest frame `exact`, all others `adjusted`"),
      ("not read", "the summaries, XML"),
    ])
}
