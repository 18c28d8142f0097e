extension CDBReader {
  static let about = FormatDescription(
    title: "cdb and WinDbg", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """
      What the debuggers of Windows print, of a program or of a dump.
      """,
    facts: [
      (
        "recognised by",
        """
        `(PID.TID): NAME - code CODE` where the debugger stopped; `EXCEPTION_RECORD:` and \
        `STACK_TEXT:` of `!analyze`
        """
      ),
      ("identity", "`PROCESS_NAME`, the numbers of process and thread, the version of Windows"),
      (
        "reason",
        """
        the exception by its name as of minidumps, with what was done to which address; the words \
        of `ERROR_CODE`
        """
      ),
      (
        "stacks",
        """
        `STACK_TEXT` and what `k`, `kb`, `kn`, `kp`, `kv` print, with files, lines and inlined \
        calls; the longest counts, since `!analyze` makes stacks up. Threads of `~*k`. Rows that \
        the console broke are joined. Registers
        """
      ),
      (
        "images",
        """
        `ModLoad:`, `lm` and `lmv`; addresses of frames are those that the rows return to
        """
      ),
      ("tags", "`failure_bucket`, `failure_symbol`"),
      ("positions", "the first frame of the crashed thread `exact`, all others `return`"),
      ("not read", "the key values of newer versions, arguments, bugchecks' parameters"),
    ])
}
