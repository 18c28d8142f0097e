/// The steps of version 2 that version 1 doesn't have. Each can be left out, to measure its worth.
package enum RuleStep: String, CaseIterable, Sendable {
  /// Of the platform functions and modules before the function that ends the walk only the first stands.
  case onePiece = "one-piece"
  /// Without any function the first two modules are the text, not three.
  case twoModules = "two-modules"
  /// A method that a test runner calls stands for its class.
  case testClass = "test-class"
  /// The function may be built into its caller of the same class or source file: an alternative key.
  case inlinedCallee = "inlined-callee"
  /// The platform function may have no name, only its library: an alternative key.
  case unnamedLibrary = "unnamed-library"
  /// Where functions are not known, source files, the program's words and the kind of death stand for
  /// them, and text that only looks like a name does not count.
  case littleKnown = "little-known"
  /// Of several stacks and messages those of the bug: the first of two panics, the thread that works with a
  /// locked file.
  case tellingStacks = "telling-stacks"
  /// Frames without a function, in an image of which nothing says whose it is, count by their location.
  case unknownOrigin = "unknown-origin"
  /// Names lose the numbers, hashes and suffixes that more compilers give them.
  case generatedNames = "generated-names"
  /// What a dump says of the fault counts: executing the stack is no overflow of it, an overflow that a handler
  /// answered by ending the process is one, and a crash within a signal handler is the handler's.
  case faultFacts = "fault-facts"
  /// Rules hold for functions of the languages that they were written for: `start`, `kill` and `abort` of a script
  /// are not the C library's, and names of Ruby and of browsers are one whatever printed them.
  case scriptNames = "script-names"
  /// Digits of words stay in messages, and more forms of durations are taken out.
  case wordDigits = "word-digits"
  /// Where a debug file or mapping is missing and the report does not name its build, the release stands for
  /// it: offsets and short names mean something else in each.
  case releaseOfBuild = "release-of-build"
  /// The program's own file counts whatever a client marked, and an absolute address is no place.
  case ownPlaces = "own-places"
  /// Libraries that apps bring along are not the app's own code where that stands below them.
  case knownLibraries = "known-libraries"
}
