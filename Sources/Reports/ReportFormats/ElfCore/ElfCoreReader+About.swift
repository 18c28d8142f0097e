extension ElfCoreReader {
  static let about = FormatDescription(
    title: "ELF core", family: .dumps, symbols: .resolved, since: "0.1.0",
    introduction: """
      Core files of Linux, FreeBSD, NetBSD and OpenBSD, of 32 and 64 bits, in either byte order: \
      as the kernel, `gcore`, systemd-coredump and qemu write them.
      """,
    facts: [
      ("recognised by", "the ELF header with type 4"),
      (
        "identity",
        """
        process (name and path of the program, pid), system, architecture; the kernel's version \
        from the vDSO
        """
      ),
      (
        "reason",
        """
        the signal with its code and address, and [why](crash-reasons.md) in words; what glibc \
        printed before it ended the process (a failed assertion, a damaged heap), if a file with \
        the names of libc is at hand; a core of a process that goes on has the kind `other`
        """
      ),
      (
        "stacks",
        """
        all threads with registers (x86, x86-64, Arm, RISC-V of 64 bits, POWER, s390x, MIPS of 64 \
        bits), walked as those of minidumps
        """
      ),
      (
        "images",
        """
        mapped programs and libraries with path, range, build id, package (`.note.package`); \
        without a list of mapped files those in the loader's list; the vDSO
        """
      ),
      ("positions", "youngest frame `exact`, all others `return`"),
      ("not read", "arguments, environment and other memory, which may hold secrets"),
    ],
    notes: """
      A core may be packed (gz, zst, xz, lz4), as systemd-coredump keeps it. `triage`, \
      `symbolicate` and `explain` read dumps of up to 64 GiB, packed ones of up to 16 GiB, which \
      are unpacked into `$TMPDIR`; only what the stacks need is read of them. `ingest` and the \
      server store the whole submission and refuse one of more than 256 MiB, or than their option \
      `--max-report`, up to 16 GiB. `mayday cores` lists what systemd-coredump keeps on this host, \
      and `mayday ingest --watch --after keep /var/lib/systemd/coredump` stores what comes and \
      leaves the files to systemd.

      Build ids stand in the first page of a module, which Linux writes unless `coredump_filter` \
      leaves it out. Without one, a program given with `--symbols` is used to walk the stacks if \
      it has the module's name and the core holds its headers or its dynamic section unchanged.
      """)
}
