extension SocorroReader {
  static let about = FormatDescription(
    title: "Socorro", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      Crashes of Mozilla's Socorro, processed and raw, and the JSON of `minidump-stackwalk`.
      """,
    facts: [
      (
        "recognised by",
        """
        `crash_info` or `json_dump` beside threads or modules; `ProductName` beside other \
        annotations
        """
      ),
      ("identity", "`uuid`, product, version, build, crash time, system, processor"),
      ("reason", "exception or signal with code, address, the assertion or `MozCrashReason`"),
      (
        "stacks",
        """
        all threads with inlined calls, `trust`, and the registers of the crashed one; a raw \
        crash has those of the client (`StackTraces`). Files lose the repository and the revision
        """
      ),
      ("images", "modules with debug and code ids"),
      ("positions", "`context` is `exact`, all others `adjusted`"),
    ])
}
