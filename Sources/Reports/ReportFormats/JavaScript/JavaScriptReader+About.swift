extension JavaScriptReader {
  static let about = FormatDescription(
    title: "JavaScript", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """
      Exceptions as V8 (Node, Chrome, Electron, Deno), Hermes, Firefox, Safari, Internet Explorer \
      and old Opera print them, and fatal errors of V8.
      """,
    facts: [
      (
        "recognised by",
        """
        `Type: message` before a frame (`at f (FILE:LINE:COLUMN)`, `f@FILE:LINE`); a stack of two \
        frames or more without a message; `[AggregateError: ...] {`; `FILE:LINE` over a line of \
        source with carets; `FATAL ERROR: ` of V8, `# Fatal error in `, `----- Native stack trace \
        -----`
        """
      ),
      (
        "reason",
        """
        type, message, `code`; causes (`[cause]`, `Caused by: `) and the list of an \
        `AggregateError`
        """
      ),
      (
        "kind",
        """
        `handled` if a logger's text precedes the exception, `oom` for a heap that is \
        full, otherwise `crash`
        """
      ),
      (
        "stacks",
        """
        function, file, line, column. Frames left out as `... 4 lines matching cause stack trace \
        ...` are filled in. Code of `eval` has the location of the call. Fatal errors: one thread \
        with the native frames and then those of the script. `Emitted 'error' event` and `Thrown \
        at:` are other stacks
        """
      ),
      ("tags", "`wrapper.runtime` (`Node.js v20.20.2`)"),
      ("positions", "all `return`"),
      (
        "symbolicated",
        """
        by [source maps](debug-files.md#source-maps); the column of a Hermes frame is its offset \
        plus one
        """
      ),
    ])
}
