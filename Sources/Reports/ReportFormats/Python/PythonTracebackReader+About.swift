extension PythonTracebackReader {
  static let about = FormatDescription(
    title: "Python", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: """
      What Python prints of an exception, and what `faulthandler` prints, anywhere in a log, \
      several in a file.
      """,
    facts: [
      (
        "recognised by",
        """
        `Traceback (most recent call last):`, also of a group; `SyntaxError: ` and its relatives \
        after a file alone; `Fatal Python error: `, `Windows fatal exception: `, `(most recent \
        call first):`; `===BUG DETECTED: PySecSan: `; the headings of rich's boxes and of IPython's \
        tracebacks
        """
      ),
      (
        "reason",
        """
        the exception's type without `__main__.`, its message with all lines and notes; the \
        traceback before "direct cause" or "during handling" is the cause; members of a group \
        stand side by side, and so do those of another process (`RemoteTraceback`, Ray) and of a \
        traceback in a message. Signal of a fatal error. A message ends before what ran the program \
        goes on: make, CI services, shells, Markdown
        """
      ),
      (
        "stacks",
        """
        the youngest call first, whichever way it was printed; all threads of `faulthandler` with \
        names, the current one crashed; C stacks (3.14) beside them
        """
      ),
      ("images", "files that C stacks name"),
      (
        "kind",
        """
        exceptions that Python ignored are handled, threads on request a snapshot, after \
        `Timeout` a hang
        """
      ),
      ("tags", "`thread.name`, `exception.place`, `extension_modules`, `runtime.state`"),
      ("positions", "`adjusted`; C stacks `return`"),
      (
        "not read",
        """
        source lines and carets, local variables; `[Previous line repeated]` is a note
        """
      ),
    ])
}
