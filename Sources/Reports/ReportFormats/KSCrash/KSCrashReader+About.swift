extension KSCrashReader {
  static let about = FormatDescription(
    title: "KSCrash", family: .apple, symbols: .resolved, since: "0.1.0",
    introduction: """
      The JSON of KSCrash and of the SDKs with a copy of it (Sentry, Bugsnag, Embrace, Rollbar, \
      Datadog), standard and minimal, as written or after their fix-up.
      """,
    facts: [
      ("recognised by", "`report` with a type, or `crash` beside `binary_images` or `system`"),
      (
        "identity",
        """
        incident, time (seconds, microseconds or a date), app, process, system, model, \
        `device_app_hash` as install
        """
      ),
      (
        "reason",
        """
        by `error.type`: exception of Mach, signal, NSException, C++ exception, an error that the \
        app reported (`handled`), deadlock and hang (`hang`), memory termination (`oom`); the \
        message of Swift's runtime out of `crash_info_message`; `diagnosis` as tag `cause`
        """
      ),
      (
        "stacks",
        """
        all threads, or `crashed_thread` alone, with registers; symbols near enough to be the \
        function's
        """
      ),
      (
        "hangs, profiles",
        """
        `hang` and an `exit_reason` of `0x8badf00d` are a hang; a profile is `other`, with the stack \
        of most samples
        """
      ),
      (
        "no thread marked",
        """
        the only one with code of the app is taken for the crashed one, with a note
        """
      ),
      ("images", "UUID, address, size, path, architecture, version; those that frames alone name"),
      ("positions", "as of `.ips`; the stack of an exception all `return`"),
      (
        "`recrash_report`",
        """
        two reports: the crash, and that of the crash reporter itself while it wrote the first
        """
      ),
      ("also", "numbers, truth values and texts of `user` as properties: `basket.lines`"),
      ("not read", "notable addresses, memory of the stack, console log"),
    ])
}
