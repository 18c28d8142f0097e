public import Identifiers

/// The reason why the process died, as far as the report gives it.
public struct CrashReason: Hashable, Sendable {
  /// The system's or tool's name for it: `EXC_BAD_ACCESS`, `heap-use-after-free`.
  public var type: String?
  /// `SIGSEGV`.
  public var signal: String?
  /// `KERN_INVALID_ADDRESS`, `SEGV_MAPERR`.
  public var code: String?
  /// The address whose access failed.
  public var address: Address?
  /// The message of the program or the system.
  public var message: String?
  /// The language-level exception.
  public var exception: LanguageException?
  /// The analysis of a dump's registers and memory; `nil` for reports without them.
  public var fault: Fault?

  public init(
    type: String? = nil, signal: String? = nil, code: String? = nil, address: Address? = nil,
    message: String? = nil, exception: LanguageException? = nil, fault: Fault? = nil
  ) {
    self.type = type
    self.signal = signal
    self.code = code
    self.address = address
    self.message = message
    self.exception = exception
    self.fault = fault
  }
}

/// An exception of the language, with the stack on which it was thrown and its causes.
public struct LanguageException: Hashable, Sendable {
  public var type: String?
  public var message: String?
  /// The stack on which it was thrown, youngest first.
  public var frames: [Frame]
  /// The exceptions that led to it, nearest first.
  public var inner: [LanguageException]

  public init(
    type: String? = nil, message: String? = nil, frames: [Frame] = [],
    inner: [LanguageException] = []
  ) {
    self.type = type
    self.message = message
    self.frames = frames
    self.inner = inner
  }
}
