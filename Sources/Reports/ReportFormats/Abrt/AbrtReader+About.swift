extension AbrtReader {
  static let about = FormatDescription(
    title: "ABRT", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Problems of Fedora and its kin: reports for servers (`ureport`), satyr's stacks \
      (`core_backtrace`), and the folder of a problem, `/var/spool/abrt/ccpp-…`, also in an \
      archive: `triage` and `ingest` take it as one report.
      """,
    facts: [
      (
        "recognised by",
        """
        `ureport_version`; the keys of satyr's stacks; a folder with `time`, `type` (or \
        `analyzer`), and `backtrace` or `core_backtrace`
        """
      ),
      (
        "kinds",
        """
        native programs, Python, Ruby, Java, JavaScript; of the kernel a report of \
        [Linux](#linux-kernel-logs-linux-kernel)
        """
      ),
      (
        "identity",
        """
        program, package with its version, process id, time, architecture, system (tags \
        `os.distribution`, `title`)
        """
      ),
      ("reason", "the signal; the exception with its causes"),
      (
        "stacks",
        """
        all threads. Of a folder `backtrace` (gdb's or the language's) with the images and \
        offsets of `core_backtrace`
        """
      ),
      ("images", "modules with build ids; bases from addresses and offsets"),
      (
        "positions",
        """
        youngest frame of a thread `exact`, all others `return`; calls of languages `adjusted`
        """
      ),
      (
        "not read",
        """
        command line, environment, logs, open files, maps and the core of a folder: they may hold \
        secrets, or are not needed
        """
      ),
    ])
}
