extension UnrealReader {
  static let about = FormatDescription(
    title: "Unreal Engine", family: .engines, symbols: .resolved, since: "0.1.0",
    introduction: """

      """,
    facts: [
      (
        "recognised by",
        """
        a zlib stream whose content begins with `CR1` or with the name of a folder (`UE4CC-...`, \
        `UECC-...`); XML with `FGenericCrashContext`; in logs `[Callstack] 0x…`, on Android `0x… \
        MODULE(0xOFFSET)!NAME … []`
        """
      ),
      (
        "reports",
        """
        each minidump in the archive, with the facts of the context; without one, the context
        """
      ),
      (
        "identity, reason",
        """
        game, version, engine, system, machine, message, kind of crash: `IsEnsure` is `handled`, \
        `IsStall` a hang
        """
      ),
      ("stacks", "of the context `PCallStack`: modules with addresses and offsets, without ids"),
      ("logs", "the message above the stack; a handled `ensure` is `handled`"),
      ("positions", "all `return`"),
      ("not read", "the log of an archive, `Diagnostics.txt`, other threads of the context"),
    ])
}
