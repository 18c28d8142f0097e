internal import AddressLookUp
package import Arguments
package import CommandSupport

/// `mayday llvm-addr2line`
package struct LLVMAddr2lineCommand: SandboxedCommand {
  package static let name = "llvm-addr2line"
  package static let summary = "Answer as llvm-addr2line does."
  /// A configuration file is for Mayday; the other tool has none.
  package static let ignoresSettings = true
  package static let discussion = """
    Takes the options of llvm-addr2line, which are those of llvm-symbolizer, and prints what it prints: \
    without -f only locations, and without -i only the innermost one. A link to this program that is \
    called llvm-addr2line runs this command.

    Addresses are hexadecimal with or without 0x. @FILE is replaced by the contents of a file.
    """
  package static let examples = [
    Example("mayday llvm-addr2line -e build/tern -fiC 1139", "One address, with functions.")
  ]

  @OptionGroup var options = SymbolizerOptions()
  @Switch(
    on: "-i", "--inlines", "--inlining", off: "--no-inlines",
    help: "Whether inlined calls are printed.")
  var hasInlines = false
  @Switch(on: "-C", "--demangle", off: "--no-demangle", help: "Whether names are demangled.")
  var isDemangled = false
  @OptionGroup package var sandbox = SandboxOptions()
  @Argument(
    "ADDRESS", help: "Addresses to look up; by default they are read from standard input.",
    isRequired: false)
  var words: [String]

  package init() {}

  package func validate() throws(UsageError) { try options.validate() }

  package func run() throws {
    var form = options.form(.gnu, names: .none)
    form.hasInlines = hasInlines
    form.isDemangled = isDemangled
    form.hasMicrosoftSpelling = true
    form.reading = .hexadecimal
    try options.run(form, words)
  }
}
