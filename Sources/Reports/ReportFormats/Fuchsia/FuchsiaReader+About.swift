extension FuchsiaReader {
  static let about = FormatDescription(
    title: "Fuchsia", family: .systems, symbols: .resolved, since: "0.1.0",
    introduction: """
      Panics of Zircon and Starnix, and programs that died, in the log of a Fuchsia system.
      """,
    facts: [
      (
        "recognised by",
        """
        `ZIRCON KERNEL PANIC` and `STARNIX KERNEL PANIC` alone in their lines; `<== fatal \
        exception: process `, `<== CRASH: process `; `welcome to Zircon` after the log of a \
        kernel that ran
        """
      ),
      (
        "reason",
        """
        the kind of panic; the assertion or the words of Starnix's Rust; of a program, what the \
        processor refused; the tag `title` reads as syzkaller's titles do
        """
      ),
      (
        "stacks",
        """
        one thread with registers, from `bt#00:`, the markup `{{{bt:...}}}`, or what Fuchsia's \
        symbolizer makes of it, with inlined calls. The stack of a panic of Starnix follows \
        between others' lines
        """
      ),
      (
        "images",
        """
        modules with build ids and addresses: `{{{module:...}}}` with `{{{mmap:...}}}`, `[[[ELF \
        module ...]]]`, `dso:`
        """
      ),
      (
        "positions",
        """
        by the markup: `pc` is `exact`, `ra` is `return`; without it the first frame is `exact`. \
        Frames of old kernels are `return`
        """
      ),
      ("not read", "the bytes of the stack, memory and threads that were not printed"),
    ])
}
