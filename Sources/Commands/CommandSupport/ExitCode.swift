package import Bytes
internal import CrashService

/// The meanings of the program's exit status.
package enum ExitCode: Int32, CaseIterable, Sendable {
  case fine = 0
  case failed = 1
  case wrongUsage = 2
  case notFound = 3
  case notAllowed = 4
  case unreachable = 5
  /// Required symbols are missing, or part of a batch was refused.
  case incomplete = 6
  /// A condition that the user asked for is met.
  case conditionMet = 7

  /// Its meaning, for help.
  package var meaning: String {
    switch self {
    case .fine: "Success, even if a list is empty or the reader of the output stops."
    case .failed: "Failed."
    case .wrongUsage:
      "Usage error in the command line, the environment or the configuration file."
    case .notFound: "Not found: a file, a group, a report, a debug id."
    case .notAllowed: "Permission denied: a file or folder cannot be read or written."
    case .unreachable: "The server cannot be reached."
    case .incomplete:
      """
      Incomplete: symbols are missing (with --require-symbols), or part of a batch was refused or \
      could not be read.
      """
    case .conditionMet:
      "A condition given with --exit-code was met, or triage found what its --baseline lacks."
    }
  }
}

extension ExitCode {
  package init(_ kind: FailureKind) {
    self =
      switch kind {
      case .failed: .failed
      case .wrongUsage: .wrongUsage
      case .notFound: .notFound
      case .notAllowed: .notAllowed
      case .unreachable: .unreachable
      }
  }
}
