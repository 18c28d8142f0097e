import Arguments

/// What `mayday lookup` prints of an answer.
struct LookUpFormOptions {
  @Option(
    "--output-style",
    help: "As llvm-symbolizer prints answers, or as addr2line does (GNU); JSON is --json.")
  var style = Style.llvm
  @Option(
    "--functions", implied: Names.linkage,
    help: "The names of functions: whole, without scopes and parameters, or none.")
  var names: Names?
  @Flag("--functions-only", help: "Leave out files and lines.") var functionsOnly
  @Flag("--no-inlines", help: "Only the function that holds the code, not the inlined calls.")
  var noInlines
  @Flag("--no-demangle", help: "Print names as the linker has them.") var noDemangle
  @Flag("-s", "--basenames", help: "Print the names of files without their folders.")
  var hasBasenames
  @Flag("--relativenames", help: "Print the names of files as the compiler was given them.")
  var hasRelativeNames
  @Flag("-p", "--pretty-print", help: "Print each frame on one line.") var isPretty
  @Flag("--addresses", "--print-address", help: "Print each address before its answer.")
  var hasAddresses
  @Flag(
    "-f", "-i", "-C", "--inlines", "--inlining", "--demangle", "-fullPath", "-inlineFrames",
    help: "Change nothing: for scripts written for addr2line and atos, which leave these out.")
  var asOthers

  /// The forms of llvm-symbolizer.
  enum Style: String, CaseIterable, ArgumentValue {
    case llvm = "LLVM"
    case gnu = "GNU"
    case json = "JSON"
  }

  enum Names: String, CaseIterable, ArgumentValue {
    case linkage, short, none

    var printed: LookUpPrinter.Form.Names {
      switch self {
      case .linkage: .linkage
      case .short: .short
      case .none: .none
      }
    }
  }

  func isJSON(_ output: OutputOptions) -> Bool { output.json || style == .json }

  func form(isJSON: Bool, sourceLines: Int) -> LookUpPrinter.Form {
    var form = LookUpPrinter.Form()
    form.isJSON = isJSON || style == .json
    form.names = (names ?? .linkage).printed
    form.style = style == .gnu ? .gnu : .llvm
    form.hasPlaces = !functionsOnly
    form.hasInlines = !noInlines
    form.isDemangled = !noDemangle
    form.sourceLines = sourceLines
    form.hasBasenames = hasBasenames
    form.isPretty = isPretty
    form.hasAddresses = hasAddresses
    return form
  }
}
