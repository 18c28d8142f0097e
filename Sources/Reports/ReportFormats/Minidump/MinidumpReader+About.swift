extension MinidumpReader {
  static let about = FormatDescription(
    title: "Minidump", family: .dumps, symbols: .resolved, since: "0.1.0",
    introduction: """
      Dumps of Breakpad, Crashpad and Windows, in either byte order; also in the form \
      (`multipart/form-data`) in which clients [send them](../operate/breakpad.md), with its annotations.
      """,
    facts: [
      ("recognised by", "`MDMP` or `PMDM` at the start, or a form with such a file"),
      (
        "identity",
        """
        app (the annotations `_productName` and `_version`, else `ProductName` and `Version`, \
        else `prod` and `ver`), process, pid, time since its start, system, time, `guid` as the \
        installation
        """
      ),
      (
        "reason",
        """
        the exception or signal with its code and address, by the names of the system: NTSTATUS, \
        Win32 errors and fail-fast codes of Windows, kinds and limits of `EXC_RESOURCE` and \
        `EXC_GUARD`, and [why](crash-reasons.md) in words; a dump on request has the kind \
        `other`. The message is that of an assertion, of Apple's libraries (`__crash_info`), of \
        annotations such as `LOG_FATAL` and `MozCrashReason`, or of Crashpad's lists
        """
      ),
      (
        "stacks",
        """
        all threads with names and registers; the stacks are walked in the dump's memory when the \
        report is symbolicated, with the rules of debug files and programs (`--symbols`), else by \
        frame pointers, else by looking for return addresses ([how](stackwalking.md)). `trust` of \
        a frame says which
        """
      ),
      (
        "threads",
        """
        all but the one that wrote the dump (Breakpad's); registers of Intel, Arm, MIPS, PowerPC, \
        SPARC and RISC-V, also where the stack is not walked; on Windows the last error of each
        """
      ),
      (
        "images",
        """
        debug id, code id, range, path, version, the name of the PDB; unloaded ones as \
        `unloaded_images`. A frame in one of these is `<unloaded NAME> + OFFSET`
        """
      ),
      (
        "memory",
        """
        all that is in the dump, and what its addresses are used for (memory information, \
        `/proc/PID/maps`). It is used for walking and is not in documents
        """
      ),
      ("properties", "annotations of the process and its modules, fields of the form"),
      (
        "`stderr`",
        """
        a tag: the last 2 KiB of a file of the form whose name says that it is the process's \
        standard error
        """
      ),
      (
        "tags",
        """
        `cpu.info`, `cpu.count`, `cpu.microcode`, `memory.mappings`, `os.distribution` and its \
        parts, `os.build_text`, `os.boot_arguments`, `process.cpu_time`, `process.integrity`, \
        `process.handles`, `comment`
        """
      ),
      ("positions", "youngest frame `exact`, all others `return`"),
      (
        "not read",
        """
        environment and command line, which hold secrets; names of handles, tokens, `auxv`, \
        limits, the link map, Chromium's stability report
        """
      ),
    ],
    notes: """
      Of 100 000 threads the first 4096 are read, and the one that crashed. Windows' kernel dumps \
      and Mach-O cores are refused by name; a full dump of Windows' user mode is a minidump.
      """)
}
