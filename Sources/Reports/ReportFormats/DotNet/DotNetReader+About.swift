extension DotNetReader {
  static let about = FormatDescription(
    title: ".NET", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """
      What .NET, .NET Framework, NativeAOT and Mono print, anywhere in a log.
      """,
    facts: [
      (
        "recognised by",
        """
        `Unhandled exception. `, `Unhandled Exception:` before a type or a .NET frame, `Exception \
        Info: ` (event log), `Process terminated. `, `Fatal error. ` and `Stack overflow.` before \
        .NET frames, `Native stacktrace:`, `Stacktrace:` before a frame; `Type: message` directly \
        before .NET frames
        """
      ),
      (
        "reason",
        """
        the exception's type, message, code (`0x80004005`), and its causes: after ` ---> `, and \
        all of an `AggregateException`; Mono's signal; what was given to `FailFast`
        """
      ),
      ("kind", "`handled` if a logger's text precedes the exception, otherwise `crash`"),
      (
        "stacks",
        """
        `exception`: method with parameters, file, line; across `--- End of stack trace from \
        previous location ---`. The words for `at`, `in` and `line` may be of any language. \
        Mono's native crashes: one thread with the native frames and then the managed ones
        """
      ),
      ("images", "modules of native frames"),
      (
        "positions",
        """
        all `return`; offsets into a method (IL or machine code) are kept as `symbol_offset`
        """
      ),
      (
        "not read",
        """
        lines of Mono's offsets (`[0x0001f] in <...>:0`), the debugger's output within Mono's \
        crash text
        """
      ),
    ],
    notes: """
      Mono prints an unhandled exception twice; that is one report.
      """)
}
