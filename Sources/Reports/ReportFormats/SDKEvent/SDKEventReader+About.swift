extension SDKEventReader {
  static let about = FormatDescription(
    title: "Events of SDKs", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      Bugsnag, measure, Rollbar, Raygun, Airbrake and AppSignal as JSON, and Launchpad's stacks \
      of gdb.
      """,
    facts: [
      (
        "recognised by",
        """
        `exceptions` with `errorClass` and `stacktrace` or with `frames`, also in `events`, \
        `exception` and `anr`; `data.body.trace` or `trace_chain`; `details.error.stackTrace`; \
        `errors` with `backtrace`; `error` with `name` and `backtrace`; `stacktrace` with \
        `address` and `depth`
        """
      ),
      (
        "identity",
        """
        app, version, build, system, device, install, user, session, locale, time, as far as the \
        service has them
        """
      ),
      ("reason", "exceptions with their causes; a signal of native code"),
      ("kind", "`handled` if the event says so, `hang` for an ANR"),
      (
        "stacks",
        """
        the exception's; for a signal the crashed thread's; all threads. Rollbar's oldest frame \
        comes first and is turned
        """
      ),
      ("images", "those that frames name, with ids and addresses; `binary_images`"),
      (
        "positions",
        """
        `exact` for the first frame of native threads and frames marked `isPC`; otherwise `return`
        """
      ),
    ])
}
