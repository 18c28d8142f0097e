/// What the program's exit status means.
enum ExitCode: Int32, CaseIterable, Sendable {
  case fine = 0
  case failed = 1
  case wrongUsage = 2
  case notFound = 3
  case notAllowed = 4
  case unreachable = 5
  /// Symbols are missing that were required, or a part of a batch was refused.
  case incomplete = 6
  /// A condition that the user asked for was met.
  case conditionMet = 7

  /// What it means, for help.
  var meaning: String {
    switch self {
    case .fine: "Fine. A list that is empty is fine, and so is a reader that goes away."
    case .failed: "Failed."
    case .wrongUsage:
      "Wrong usage, in the command line, the environment or the configuration file."
    case .notFound: "Not found: a file, a group, a report, a debug id."
    case .notAllowed: "Not allowed: a file or folder that may not be read or written."
    case .unreachable: "A server cannot be reached."
    case .incomplete:
      """
      Incomplete: symbols are missing under --require-symbols, or a part of a batch was refused or \
      could not be read.
      """
    case .conditionMet: "A condition was met that --exit-code asks for."
    }
  }
}
