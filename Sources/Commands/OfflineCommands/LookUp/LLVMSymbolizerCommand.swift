internal import AddressLookUp
package import Arguments
package import CommandSupport

/// `mayday llvm-symbolizer`
package struct LLVMSymbolizerCommand: SandboxedCommand {
  package static let name = "llvm-symbolizer"
  package static let summary = "Answer as llvm-symbolizer does."
  /// A configuration file is for Mayday; the other tool has none.
  package static let ignoresSettings = true
  package static let discussion = """
    Takes the options of llvm-symbolizer and prints what it prints. A link to this program that is \
    called llvm-symbolizer runs this command; sanitizers accept it as ASAN_SYMBOLIZER_PATH.

    Each argument, or line of standard input, is [CODE] [FILE] ADDRESS. The file can also be FILE:NAME or \
    BUILDID:HEX, the address SYMBOL or SYMBOL+OFFSET. Addresses without 0x are decimal. The result for \
    DATA and FRAME is ??. @FILE is replaced by the contents of a file.

    Not supported: --debuginfod, --filter-markup, --gsym-file-directory, --skip-line-zero.
    """
  package static let examples = [
    Example(
      "mayday llvm-symbolizer --obj=build/tern 0x1139", "One address, with its inlined calls."),
    Example(
      "mayday llvm-symbolizer -a --print-source-context-lines=3 -e build/tern 0x1139",
      "With the address before it and the source around it."),
    Example(
      "echo 'CODE build/tern 0x1139' | mayday llvm-symbolizer --output-style=JSON",
      "A line that names its file, as sanitizers write them."),
  ]

  @OptionGroup var options = SymbolizerOptions()
  @Switch(
    on: "-i", "--inlines", "--inlining", off: "--no-inlines",
    help: "Whether inlined calls are printed; they are.")
  var hasInlines = true
  @Switch(
    on: "-C", "--demangle", off: "--no-demangle", help: "Whether names are demangled; they are.")
  var isDemangled = true
  @OptionGroup package var sandbox = SandboxOptions()
  @Argument(
    "ADDRESS", help: "Addresses to look up; by default they are read from standard input.",
    isRequired: false)
  var words: [String]

  package init() {}

  package func validate() throws(UsageError) { try options.validate() }

  package func run() throws {
    var form = options.form(.llvm, names: .linkage)
    form.hasInlines = hasInlines
    form.isDemangled = isDemangled
    form.hasMicrosoftSpelling = true
    form.reading = .literal
    try options.run(form, words)
  }
}
