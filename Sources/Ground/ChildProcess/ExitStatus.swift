internal import Glibc

/// How a process came to its end.
public struct ExitStatus: Equatable, Sendable, CustomStringConvertible {
  /// The argument of exit(3); `nil` where a signal ended it.
  public let code: Int32?
  public let signal: Int32?

  /// - Parameter status: As waitpid(2) has it. Source: bits/waitstatus.h.
  init(waited status: Int32) {
    let signal = status & 0x7f
    self.signal = signal == 0 ? nil : signal
    code = signal == 0 ? status >> 8 & 0xff : nil
  }

  /// In words that follow the name of the process.
  public var description: String {
    guard let signal else { return "ended with status \(code ?? 0)" }
    return switch signal {
    case SIGSYS: "was stopped at a forbidden system call"
    case SIGXCPU: "ran out of processor time"
    default: "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
    }
  }
}
