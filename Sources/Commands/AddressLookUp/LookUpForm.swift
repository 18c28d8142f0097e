extension LookUpPrinter {
  /// The parts of an answer that are printed, and their form.
  package struct Form {
    /// How text looks.
    package enum Style {
      /// As of llvm-symbolizer, with columns and an empty line after each answer.
      case llvm
      /// As of llvm-symbolizer with `--output-style=GNU`, and of llvm-addr2line.
      case gnu
      /// As of addr2line of binutils.
      case binutils
      /// As of Apple's atos.
      case atos
    }

    package enum Names {
      /// No names at all.
      case none
      /// Without scopes and parameters.
      case short
      case linkage
    }

    package var style = Style.llvm
    package var isJSON = false
    /// Which names of functions are printed.
    package var names = Names.linkage
    /// Whether files and lines are printed.
    package var hasPlaces = true
    package var hasInlines = true
    package var isDemangled = true
    /// Whether names of Microsoft's compiler are spelled as LLVM's tools spell them.
    package var hasMicrosoftSpelling = false
    /// How many lines of source are printed of each place.
    package var sourceLines = 0
    /// Whether files are printed without their folders.
    package var hasBasenames = false
    /// Whether a frame is one line of text.
    package var isPretty = false
    /// Whether the address stands before its answer in text.
    package var hasAddresses = false
    /// The least digits of an address in text.
    package var addressDigits = 0
    /// Whether text has a line for each thing that is known of a frame.
    package var isVerbose = false
    /// How addresses are read.
    package var reading = AddressText.Reading.report
    /// The image's name in the style of atos.
    package var image = ""
    /// The text between inlined calls in the style of atos.
    package var delimiter = "\n"

    package init() {}

    package var hasNames: Bool { names != .none }

    /// Whether the one frame that is printed without inlined calls has the name of the function
    /// that holds the code, under the place of the innermost call. So has llvm-symbolizer, whose
    /// symbol table knows no other name, but not for names without scopes, and not in GNU's style.
    package var namesHolder: Bool { !hasInlines && style == .llvm && names != .short }
  }
}
