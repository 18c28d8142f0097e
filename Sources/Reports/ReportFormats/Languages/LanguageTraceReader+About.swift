extension LanguageTraceReader {
  static let about = FormatDescription(
    title: "Other languages", family: .languages, symbols: .printed, since: "0.1.0",
    introduction: """
      Traces of languages that print a message and calls, anywhere in a log. The tag `language` \
      names the language. Below stands by what each is recognised.
      """,
    facts: [
      ("OCaml", "`Fatal error: exception `"),
      ("Clean", "`Stack trace:` with calls of modules below it"),
      ("Haskell", "`CallStack (from HasCallStack):`, the message above it"),
      (
        "Erlang",
        """
        `exception error: `, `exception exit: `, `exception throw: `, `Error in process <…> with exit value:`
        """
      ),
      ("Elixir", "`** (SomeError) `"),
      ("Lua", "`stack traceback:`, the message above it"),
      ("Julia", "`Stacktrace:` after `ERROR: `"),
      ("R", "`Calls: ` after `Error in `"),
      ("Nim", "`Error: unhandled exception: `, the calls above it"),
      ("Crystal", "`Unhandled exception: ` with `from ` below it"),
      ("D", "`object.Exception@FILE(LINE): `"),
      ("Zig", "`thread N panic: `; `error: ` with calls of Zig below it"),
      ("V", "`V panic`"),
      ("Odin", "`FILE.odin(LINE:COLUMN) `"),
      ("Ada", "`raised NAME : FILE.adb:LINE `"),
      ("Fortran", "`Fortran runtime error: `"),
      ("Smalltalk", "`Object: … error: ` with calls below it"),
    ])
}
