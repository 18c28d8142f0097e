import Arguments

/// What `mayday lookup` prints of an answer.
struct LookUpFormOptions {
  @Flag("--functions-only", help: "Leave out files and lines.") var functionsOnly
  @Flag("--no-inlines", help: "Only the function that holds the code, not the inlined calls.")
  var noInlines
  @Flag("--no-demangle", help: "Print names as the linker has them.") var noDemangle
  @Flag("-s", "--basenames", help: "Print the names of files without their folders.")
  var hasBasenames
  @Flag("-p", "--pretty-print", help: "Print each frame on one line.") var isPretty
  @Flag("--addresses", help: "Print each address before its answer.") var hasAddresses
  @Flag(
    "-f", "-i", "-C", "--functions", "--inlines", "--demangle",
    help: "Change nothing: for scripts written for addr2line, which leaves these out unless asked.")
  var asOthers

  func form(isJSON: Bool, sourceLines: Int) -> LookUpPrinter.Form {
    LookUpPrinter.Form(
      isJSON: isJSON, hasPlaces: !functionsOnly, hasInlines: !noInlines, isDemangled: !noDemangle,
      sourceLines: sourceLines, hasBasenames: hasBasenames, isPretty: isPretty,
      hasAddresses: hasAddresses)
  }
}
