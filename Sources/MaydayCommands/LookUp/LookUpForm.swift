extension LookUpPrinter {
  /// What is printed of an answer, and how.
  struct Form {
    /// How text looks.
    enum Style {
      /// As of llvm-symbolizer, with columns and an empty line behind each answer.
      case llvm
      /// As of llvm-symbolizer with `--output-style=GNU`, and of llvm-addr2line.
      case gnu
      /// As of addr2line of binutils.
      case binutils
      /// As of Apple's atos.
      case atos
    }

    enum Names {
      /// No names at all.
      case none
      /// Without scopes and parameters.
      case short
      case linkage
    }

    var style = Style.llvm
    var isJSON = false
    /// Which names of functions are printed.
    var names = Names.linkage
    /// Whether files and lines are printed.
    var hasPlaces = true
    var hasInlines = true
    var isDemangled = true
    /// How many lines of source are printed of each place.
    var sourceLines = 0
    /// Whether files are printed without their folders.
    var hasBasenames = false
    /// Whether a frame is one line of text.
    var isPretty = false
    /// Whether the address stands before its answer in text.
    var hasAddresses = false
    /// The least digits of an address in text.
    var addressDigits = 0
    /// Whether text has a line for each thing that is known of a frame.
    var isVerbose = false
    /// How addresses are read.
    var reading = AddressText.Reading.report
    /// What atos calls the image.
    var image = ""
    /// What stands between inlined calls in the form of atos.
    var delimiter = "\n"

    var hasNames: Bool { names != .none }

    /// Whether the one frame that is printed without inlined calls has the name of the function that
    /// holds the code, under the place of the innermost call. So has llvm-symbolizer, whose symbol
    /// table knows no other name, but not for names without scopes, and not in GNU's style.
    var namesHolder: Bool { !hasInlines && style == .llvm && names != .short }
  }
}
