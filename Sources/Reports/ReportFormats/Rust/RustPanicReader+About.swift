extension RustPanicReader {
  static let about = FormatDescription(
    title: "Rust", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """
      What Rust's runtime prints of a panic, and `anyhow`, `eyre` and `color-eyre` of an error \
      that `main` returns, anywhere in a log, several in a file.
      """,
    facts: [
      (
        "recognised by",
        """
        `thread '…' panicked at `, `thread '…' (ID) panicked at `; `fatal runtime error: stack \
        overflow`; `The application panicked (crashed).` with `Message: `; `Error: ` with `Caused \
        by:`, `Stack backtrace:` or `Location:` after it
        """
      ),
      (
        "reason",
        """
        `panic` or `Error`, the message of one or many lines, the place as the code; causes of \
        errors; a panic that unwound while the section's came is its cause
        """
      ),
      (
        "stacks",
        """
        the backtrace, short or full. Without one, the place of the panic is the only frame
        """
      ),
      ("images", "of Fuchsia's markup: name, build id, base"),
      ("tags", "`thread.name`, `thread.id`"),
      (
        "positions",
        """
        `return` where addresses are printed, else `adjusted`; several frames with one address \
        are inlined calls
        """
      ),
      ("not read", "source lines of `color-eyre`, span traces"),
    ])
}
