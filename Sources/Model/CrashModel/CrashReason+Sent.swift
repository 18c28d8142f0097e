/// Signals that a program sent, and no fault raised.
extension CrashReason {
  /// Linux's codes of signals that a program, a timer or a queue sent: those of the kernel are above zero.
  ///
  /// Source: `include/uapi/asm-generic/siginfo.h` of Linux.
  private static let sentCodes: Set<String> = [
    "SI_USER", "SI_QUEUE", "SI_TIMER", "SI_MESGQ", "SI_ASYNCIO", "SI_SIGIO", "SI_TKILL",
    "SI_DETHREAD",
    "SI_ASYNCNL",
  ]

  /// Whether the signal was sent: then no access failed, and no address belongs to it.
  public var isSent: Bool { code.map(Self.sentCodes.contains) ?? false }

  /// The codes with which the kernel says which process sent the signal.
  private static let codesWithSender: Set<String> = ["SI_USER", "SI_QUEUE", "SI_MESGQ", "SI_TKILL"]

  /// Whether the system says which process sent the signal.
  public var hasSender: Bool { code.map(Self.codesWithSender.contains) ?? false }
}
