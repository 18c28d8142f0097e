internal import Bytes

extension CrashReason {
  /// The cause of death without its message: `EXC_BAD_ACCESS (SIGSEGV), KERN_INVALID_ADDRESS at 0x10`,
  /// `NSRangeException (EXC_CRASH)`; `nil` when the report gives none. Unmodified text.
  public var headline: String? {
    var text = exception?.type ?? type ?? signal ?? ""
    if let type, exception?.type != nil, type != exception?.type { text += " (\(type))" }
    if let signal, text != signal, exception?.type == nil { text += " (\(signal))" }
    if let code, code != signal { text += text.isEmpty ? code : ", \(code)" }
    if let address { text += text.isEmpty ? "access to \(address)" : " at \(address)" }
    return text.isEmpty ? nil : text
  }

  /// The reason in one line for a list: the headline and the first line of the message. The message alone
  /// where it begins with the type: `WARNING: fs/tern/read.c:615`.
  public var line: String? {
    let message = (exception?.message ?? message)?.firstTextLine.map { String($0.prefix(200)) }
    guard let headline else { return message }
    guard let message else { return headline }
    return repeatsType(message) ? message : "\(headline): \(message)"
  }

  /// Whether `message` begins with the type: `WARNING`, `BUG: unable to handle kernel paging request`.
  private func repeatsType(_ message: String) -> Bool {
    guard exception == nil, let type, let word = type.split(separator: " ").first else {
      return false
    }
    return message.hasPrefix(word.hasSuffix(":") ? "\(word) " : "\(type): ")
  }
}
