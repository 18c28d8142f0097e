extension SystemdCoredumpReader {
  static let about = FormatDescription(
    title: "systemd-coredump", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Crashes in systemd's journal: the text of `journalctl` and `coredumpctl info`, `journalctl \
      -o export` and `-o json`, whole journals too.
      """,
    facts: [
      (
        "recognised by",
        """
        `Process N (NAME) of user N dumped core.`; `__CURSOR=` with fields `COREDUMP_`; JSON \
        objects with such fields
        """
      ),
      ("identity", "process, path, time, package, unit (tag `systemd.unit`), architecture"),
      ("reason", "the signal, where a field or `coredumpctl info` gives it"),
      ("stacks", "all threads, the crashed one first"),
      (
        "images",
        """
        modules with their bases; build ids where the message or the package metadata has them
        """
      ),
      ("positions", "youngest frame of a thread `exact`, all others `return`"),
      (
        "not read",
        """
        memory maps, environment and open files, which may hold secrets; a core inside the entry
        """
      ),
    ])
}
