/// What the program's exit status means.
enum ExitCode: Int32, Sendable {
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
}
