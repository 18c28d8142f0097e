extension VisualStudioReader {
  static let about = FormatDescription(
    title: "Visual Studio", family: .nativeCode, symbols: .printed, since: "0.1.0",
    introduction:
      "The call stack window of Visual Studio, copied, with or without the words of its dialog.",
    facts: [
      (
        "recognised by",
        """
        `Unhandled exception at 0x`, `Exception thrown at 0x` above a stack, two lines of the form \
        `MODULE!FUNCTION Line N`
        """
      ),
      ("reason", "the exception by its code, the address, the words"),
      ("stacks", "one thread: module, function, line, inlined frames"),
      ("positions", "youngest frame `exact`, all others `return`"),
    ])
}
