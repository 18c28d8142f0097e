extension HotSpotReader {
  static let about = FormatDescription(
    title: "Java machines", family: .languages, symbols: .resolved, since: "0.1.0",
    introduction: """
      The log `hs_err_pid4711.log` of HotSpot, of JDK 6 to 23, and the summary that is printed.
      """,
    facts: [
      (
        "recognised by",
        """
        `# A fatal error has been detected by`, `# There is insufficient memory for the Java \
        Runtime Environment`
        """
      ),
      (
        "reason",
        """
        signal or exception with code and address; `Internal Error` and `Out of Memory Error` \
        with their place in HotSpot's source as the code; the words of a failed check, or of an \
        allocation
        """
      ),
      (
        "stacks",
        """
        the native frames with the Java frames among them, of the thread that died; else its Java \
        frames, else the problematic frame. All other threads by name and id; registers
        """
      ),
      ("images", "the dynamic libraries with base, size and path; frames have offsets into them"),
      ("identity", "main class or archive as the app, pid, time, uptime, system, processor"),
      (
        "properties",
        """
        `jvm_args` without the values of options whose name says password, secret, token, key or \
        the like
        """
      ),
      (
        "tags",
        """
        `runtime.version`, `runtime.name`, `os.distribution`, `cpu.count`, `cpu.info`, \
        `compile_task`, `access`, `allocation.size`
        """
      ),
      ("positions", "the first frame `exact`, all others `return`"),
      ("not read", "arguments of the program, environment variables, heap, events, memory, flags"),
    ])
}
