import CrashModel

/// What is said first of a report: why the process died.
extension CrashReason {
  /// `EXC_BAD_ACCESS (SIGSEGV), KERN_INVALID_ADDRESS at 0x10`, or `nil` when the report says nothing.
  /// The text is as it came.
  var headline: String? {
    var text = exception?.type ?? type ?? signal ?? ""
    if let type, exception?.type != nil, type != exception?.type { text += " (\(type))" }
    if let signal, text != signal, exception?.type == nil { text += " (\(signal))" }
    if let code, code != signal { text += text.isEmpty ? code : ", \(code)" }
    if let address { text += text.isEmpty ? "access to \(address)" : " at \(address)" }
    if text.isEmpty { return message }
    return text
  }

  /// What the program or the system said beyond the headline, each text once.
  var details: [String] {
    var texts: [String] = []
    for text in [exception?.message, message].compactMap({ $0 }) {
      if !text.isEmpty && !texts.contains(text) && text != headline { texts.append(text) }
    }
    return texts
  }
}

extension CrashReport {
  /// One line for a list or a heading; always something.
  var headline: String {
    if let headline = reason.headline { return headline }
    return switch kind {
    case .crash: "crash, no reason given"
    case .handled: "handled error"
    case .hang: "hang"
    case .oom: "out of memory"
    case .other: "report, no reason given"
    }
  }
}
