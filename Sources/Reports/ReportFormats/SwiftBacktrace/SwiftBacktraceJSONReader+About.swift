extension SwiftBacktraceJSONReader {
  static let about = FormatDescription(
    title: "Swift backtrace as JSON", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """
      `format=json` of Swift 6.2 and later, alone in a file or after the program's output.
      """,
    facts: [
      (
        "recognised by",
        """
        `"kind": "crashReport"`
        """
      ),
      (
        "reason, stacks, images",
        """
        as of the text, and the time; the message and the signal's number from the lines before
        """
      ),
      (
        "positions",
        """
        `returnAddress`, `returnAddressInAsync` and `ra` are `return`, all other kinds `exact`
        """
      ),
      ("not read", "`capturedMemory`, `omittedImages`, `backtraceTime`"),
    ])
}
