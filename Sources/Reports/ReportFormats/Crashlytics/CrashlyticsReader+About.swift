extension CrashlyticsReader {
  static let about = FormatDescription(
    title: "Crashlytics", family: .services, symbols: .resolved, since: "0.1.0",
    introduction:
      "Stack traces saved from Firebase Crashlytics, of Apple's systems and of Android.",
    facts: [
      ("recognised by", "`# Crashlytics - Stack trace`"),
      ("identity", "application, version, build, session, time"),
      (
        "reason",
        """
        the exception with its causes, or signal, code and address; `Non-fatal Exception` is `handled`
        """
      ),
      ("stacks", "the exception's and those of all threads, with names, files and lines"),
      ("images", "those of the frames, without ids"),
      ("positions", "youngest frame of a thread `exact`, all others `return`"),
    ])
}
