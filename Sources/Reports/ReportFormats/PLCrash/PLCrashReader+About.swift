extension PLCrashReader {
  static let about = FormatDescription(
    title: "PLCrashReporter", family: .apple, symbols: .resolved, since: "0.1.0",
    introduction: """
      The files that PLCrashReporter keeps, and with it the SDKs of HockeyApp and App Center for \
      Apple's systems: `plcrash`, a version byte and a protobuf message, perhaps followed by \
      zeros.
      """,
    facts: [
      ("recognised by", "`plcrash`"),
      ("identity", "incident, time, app, process with its parent, path and start, system, model"),
      (
        "reason",
        """
        the exception of Mach with its codes, else the signal and its code; the address; the \
        Objective-C exception with its own stack
        """
      ),
      (
        "stacks",
        """
        all threads, registers of the crashed one; names of the symbol table without their \
        underscore
        """
      ),
      ("images", "UUID, address, size, path, architecture"),
      (
        "positions",
        """
        youngest frame of a thread `exact`, all others `return`; of the exception all `return`
        """
      ),
      (
        "also",
        """
        custom data that is text as property `custom_data`; a report that the app asked for is \
        `handled`
        """
      ),
    ])
}
