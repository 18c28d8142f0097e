internal import AddressLookUp
internal import Arguments
internal import CommandSupport

/// The parts of an answer that `mayday lookup` prints.
struct LookUpOutputStyle {
  @Option(
    "--output-style",
    help: "Print like llvm-symbolizer (LLVM), like addr2line (GNU), or as --json (JSON).")
  var style = Style.llvm
  @Option(
    "--functions", implied: Names.linkage,
    help:
      "Function names: linkage prints them in full, short without scopes and parameters, none not at all."
  )
  var names: Names?
  @Flag("--functions-only", help: "Leave out files and lines.") var functionsOnly
  @Flag("--no-inlines", help: "Print only the enclosing function, without inlined calls.")
  var noInlines
  @Flag("--no-demangle", help: "Print mangled names.") var noDemangle
  @Flag("-s", "--basenames", help: "Print file names without folders.")
  var hasBasenames
  @Flag("--relativenames", help: "Print file names as they were given to the compiler.")
  var hasRelativeNames
  @Flag("-p", "--pretty-print", help: "Print each frame on one line.") var isPretty
  @Flag("--addresses", "--print-address", help: "Print each address before its result.")
  var hasAddresses
  @Flag(
    "-f", "-i", "-C", "--inlines", "--inlining", "--demangle", "-fullPath", "-inlineFrames",
    help:
      "Accepted for scripts written for addr2line and atos; no effect, since this is the default.")
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
    form.hasLocations = !functionsOnly
    form.hasInlines = !noInlines
    form.isDemangled = !noDemangle
    form.sourceLines = sourceLines
    form.hasBasenames = hasBasenames
    form.isPretty = isPretty
    form.hasAddresses = hasAddresses
    return form
  }
}
