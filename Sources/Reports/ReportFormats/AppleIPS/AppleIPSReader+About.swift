extension AppleIPSReader {
  static let about = FormatDescription(
    title: "Apple `.ips`", family: .apple, symbols: .resolved, since: "0.1.0",
    introduction: """
      JSON, since iOS 15 and macOS 12: a header object and a body object, with or without a line \
      break between them. Either may be missing, and a file may hold several reports. A report \
      with its header is also found inside other text: pasted into a message, or in a log, behind \
      a logger's prefix or not.
      """,
    facts: [
      (
        "recognised by",
        """
        keys of the first object: for a header `bug_type`, or `os_version` with `app_name` or \
        `incident_id`; for a body `threads`, `usedImages` or `panicString` beside other keys of \
        such a body
        """
      ),
      (
        "identity",
        """
        incident, time, app (name, identifier, version, build), process (name, path, pid, time \
        since launch), system, device, `crashReporterKey`
        """
      ),
      (
        "reason",
        """
        exception type, signal, code and address; the message from `asi`, else the exception's \
        message, else the termination's reasons; the Objective-C or C++ exception with its own \
        stack
        """
      ),
      (
        "stacks",
        """
        all threads with names and identifiers, registers, the crashed thread (`faultingThread`, \
        else `triggered`, else `legacyInfo`), `lastExceptionBacktrace`, `asiBacktraces`
        """
      ),
      ("images", "id, address, size, path, architecture, version"),
      (
        "tags",
        """
        `bug_type`, termination (namespace, code, reason, by), exception codes, platform, role, \
        parent, `process.translated`, memory region
        """
      ),
      (
        "positions",
        """
        youngest frame of a thread, and the calls inlined in it, `exact`; all others `return`; in \
        `lastExceptionBacktrace` all `return`
        """
      ),
      ("not read", "memory summaries, code signing, `sharedCache`, `extMods`, instruction bytes"),
    ],
    notes: """
      A report without threads or exception may describe memory running out (type 298), a [kernel \
      panic](#kernel-panics), a hang or a stackshot (only that it was one).
      """)
}
