extension LookUpPrinter {
  /// The parts of an answer that are printed, and their format.
  package struct Form {
    /// The style of text.
    package enum Style {
      /// The style of llvm-symbolizer, with columns and an empty line after each answer.
      case llvm
      /// The style of llvm-symbolizer with `--output-style=GNU`, and of llvm-addr2line.
      case gnu
      /// The style of addr2line of binutils.
      case binutils
      /// The style of Apple's atos.
      case atos
    }

    package enum Names {
      /// No names at all.
      case none
      /// Names without scopes and parameters.
      case short
      case linkage
    }

    package var style = Style.llvm
    package var isJSON = false
    /// The names of functions that are printed.
    package var names = Names.linkage
    /// Whether files and lines are printed.
    package var hasLocations = true
    package var hasInlines = true
    package var isDemangled = true
    /// Whether names of Microsoft's compiler are spelled as LLVM's tools spell them.
    package var hasMicrosoftSpelling = false
    /// Number of source lines printed for each location.
    package var sourceLines = 0
    /// Whether files are printed without their folders.
    package var hasBasenames = false
    /// Whether a frame is one line of text.
    package var isPretty = false
    /// Whether the address precedes its answer in text.
    package var hasAddresses = false
    /// Minimum number of digits of an address in text.
    package var addressDigits = 0
    /// Whether text has a line for each known fact about a frame.
    package var isVerbose = false
    /// How addresses are read.
    package var reading = AddressText.Reading.report
    /// The image's name in the style of atos.
    package var image = ""
    /// The text between inlined calls in the style of atos.
    package var delimiter = "\n"

    package init() {}

    package var hasNames: Bool { names != .none }

    /// Whether the one frame that is printed without inlined calls has the name of the function that contains
    /// the code, with the location of the innermost call. llvm-symbolizer does so, as its symbol table knows
    /// no other name, but not for names without scopes, and not in GNU's style.
    package var namesHolder: Bool { !hasInlines && style == .llvm && names != .short }
  }
}
