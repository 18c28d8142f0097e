extension WineReader {
  static let about = FormatDescription(
    title: "Wine", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: "What Wine's debugger prints when a Windows program crashes.",
    facts: [
      (
        "recognised by",
        """
        `Unhandled exception: ` with `in 64-bit code` or `in 32-bit code`, `wine: Unhandled `
        """
      ),
      ("identity", "program, pid, the version of Windows, Wine's build as `runtime.version`"),
      ("reason", "the exception by the name that Windows has for it, the address"),
      ("stacks", "the thread that crashed, with registers"),
      ("images", "of the list of modules, found by name"),
      ("positions", "youngest frame `exact`, all others `return`"),
      ("not read", "memory of the stack, disassembly, other threads"),
    ])
}
