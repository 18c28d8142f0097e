/// The steps of version 2 that version 1 doesn't have. Each can be disabled, to measure its effect.
package enum RuleStep: String, CaseIterable, Sendable {
  /// Only the first of the platform functions and modules before the function that ends the walk is kept.
  case onePiece = "one-piece"
  /// Without any function, the text has the first two modules, not three.
  case twoModules = "two-modules"
  /// A method that a test runner calls is replaced by its class.
  case testClass = "test-class"
  /// The function may be inlined into its caller of the same class or source file: an alternative key.
  case inlinedCallee = "inlined-callee"
  /// The platform function may have no name, only its library: an alternative key.
  case unnamedLibrary = "unnamed-library"
  /// Where functions are not known, source files, the program's message and the kind of crash replace them,
  /// and text that only looks like a name does not count.
  case littleKnown = "little-known"
  /// If there are several stacks and messages, those of the bug count: the first of two panics, the thread
  /// that works with a locked file.
  case tellingStacks = "telling-stacks"
  /// Frames without a function, in an image of unknown origin, count by their location.
  case unknownOrigin = "unknown-origin"
  /// Numbers, hashes and suffixes of more compilers are removed from names.
  case generatedNames = "generated-names"
  /// A dump's facts about the fault count: executing the stack is not an overflow of it, an overflow to which
  /// a handler responded by ending the process is one, and a crash within a signal handler is the handler's.
  case faultFacts = "fault-facts"
  /// Rules hold for functions of the languages that they were written for: `start`, `kill` and `abort` of a script
  /// are not the C library's, and names of Ruby and of browsers are one whatever printed them.
  case scriptNames = "script-names"
  /// Digits of words stay in messages, and more forms of durations are removed.
  case wordDigits = "word-digits"
  /// If a debug file or mapping is missing and the report does not name its build, the release replaces it:
  /// offsets and short names differ between builds.
  case releaseOfBuild = "release-of-build"
  /// The program's own file counts whatever a client marked, and an absolute address is not a location.
  case ownPlaces = "own-places"
  /// Bundled libraries are not the app's own code if that is below them.
  case knownLibraries = "known-libraries"
}
