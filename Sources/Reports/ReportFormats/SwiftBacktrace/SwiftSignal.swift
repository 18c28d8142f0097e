/// The signals that the backtracer of Swift catches, by their numbers and its descriptions.
enum SwiftSignal {
  /// - Parameter isDarwin: Whether the number is of an Apple system; two differ.
  static func name(_ number: Int, isDarwin: Bool) -> String? {
    switch number {
    case 3: "SIGQUIT"
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 7: isDarwin ? "SIGEMT" : "SIGBUS"
    case 8: "SIGFPE"
    case 10: isDarwin ? "SIGBUS" : "SIGUSR1"
    case 11: "SIGSEGV"
    default: nil
    }
  }

  static func name(ofDescription text: String) -> String? {
    switch text {
    case "Illegal instruction": "SIGILL"
    case "Bad pointer dereference": "SIGSEGV"
    case "Aborted": "SIGABRT"
    case "Bus error": "SIGBUS"
    case "Floating point exception", "Arithmetic exception": "SIGFPE"
    case "Trap", "System trap": "SIGTRAP"
    case "Program quit", "Quit": "SIGQUIT"
    default: nil
    }
  }
}
