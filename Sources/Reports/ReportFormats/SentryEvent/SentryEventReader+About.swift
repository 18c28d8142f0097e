extension SentryEventReader {
  static let about = FormatDescription(
    title: "Sentry's events", family: .services, symbols: .resolved, since: "0.1.0",
    introduction: """
      Events as Sentry's SDKs write them, native and managed, one or several in a file; among \
      them those of CrashProbe.
      """,
    facts: [
      (
        "recognised by",
        """
        `exception` or `threads` with stacks and another member of events (`event_id`, \
        `platform`, `sdk`, `contexts`, `tags`), or `debug_meta` with images and two of them; an \
        exception's type and value with `event_id`; an envelope with such an event or a minidump
        """
      ),
      ("identity", "the event's id, time, app and release, system, device, user"),
      (
        "reason",
        """
        the exceptions with their causes; signal, code and address of the mechanism's `meta`; \
        the Mach exception
        """
      ),
      ("kind", "`handled` by the mechanism"),
      ("stacks", "all threads with names and registers; frames as the SDK has them"),
      ("images", "`debug_meta`: ids, addresses, sizes, paths, processors"),
      ("tags", "those of the event"),
      ("positions", "the youngest frame of a crashed thread `exact`, all others `return`"),
    ])
}
