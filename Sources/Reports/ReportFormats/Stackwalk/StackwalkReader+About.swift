extension StackwalkReader {
  static let about = FormatDescription(
    title: "minidump-stackwalk", family: .dumps, symbols: .resolved, since: "0.1.0",
    introduction: """
      The text of `minidump-stackwalk` (Breakpad, rust-minidump) and of `mayday symbolicate --format \
      minidump-stackwalk`. Its JSON is read as [Socorro's](#socorro-socorro).
      """,
    facts: [
      ("recognised by", "`Operating system: ` with `CPU: ` below"),
      ("identity", "system, processor, uptime; the main module as app and process"),
      ("reason", "reason, address, assertion"),
      ("stacks", "all threads with names, registers, inlined calls, and how each frame was found"),
      ("images", "address, size, version; the id of those without symbols"),
      (
        "positions",
        """
        the frame of the context `exact`; `return` where a caller's registers are printed, else \
        `adjusted`
        """
      ),
      ("not read", "the instruction and the memory that it accessed, certificates"),
    ])
}
