extension CasrReader {
  static let about = FormatDescription(
    title: "CASR", family: .nativeCode, symbols: .resolved, since: "0.1.0",
    introduction: """

      """,
    facts: [
      ("recognised by", "`CrashSeverity`, or `Stacktrace` and `CrashLine`"),
      (
        "reason",
        """
        the class of the crash (`DestAv`) and its description; how bad it is as tag \
        `casr.severity`
        """
      ),
      ("stacks", "one thread with registers, of the lines of gdb, a sanitizer or a runtime"),
      ("images", "of the memory map"),
      (
        "positions",
        """
        of gdb the first `exact` and all others `return`; of sanitizers all `adjusted`
        """
      ),
      ("not read", "disassembly, environment, source, the sanitizer's own text"),
    ])
}
