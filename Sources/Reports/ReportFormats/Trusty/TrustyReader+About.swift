extension TrustyReader {
  static let about = FormatDescription(
    title: "Trusty", family: .systems, symbols: .printed, since: "0.1.0",
    introduction: """
      Crashes of trusted apps, and panics, in the log of Trusty, which runs beside Android on secure \
      hardware; also as Android's fuzzing symbolizes them.
      """,
    facts: [
      ("recognised by", "`Backtrace for thread: ` with frames (`kSP+0x…`, `uSP+0x…`) below it"),
      ("identity", "the app, the project and build of the system"),
      ("reason", "the fault with its address and kind; the panic's words"),
      ("stacks", "the app's stack, and the kernel's beside it; of a panic the kernel's"),
      ("positions", "the app's first frame `exact`, all others `return`"),
      ("not read", "registers, load bias"),
    ])
}
