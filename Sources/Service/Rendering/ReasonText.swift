package import CrashModel
internal import CrashService

/// The headline of a report: why the process died.
extension CrashReason {
  /// The dump's reason, then the messages of the program or the system besides the headline, each once.
  package var details: [String] {
    var texts = [fault?.summary].compactMap(\.self)
    for text in [exception?.message, message].compactMap({ $0 }) {
      if !text.isEmpty && !texts.contains(text) && (headline != nil || text != line)
        && !repeatsException(text)
      {
        texts.append(text)
      }
    }
    return texts
  }

  /// Whether the text is the runtime's sentence about the exception, which adds nothing to the headline and
  /// the exception's message.
  private func repeatsException(_ text: String) -> Bool {
    guard let type = exception?.type, let message = exception?.message else { return false }
    return text == "*** Terminating app due to uncaught exception '\(type)', reason: '\(message)'"
  }
}

extension CrashReport {
  /// The lines below the headline: the sender of the signal, then ``CrashReason/details``.
  package var details: [String] {
    [signalSenderSentence].compactMap(\.self) + reason.details
  }

  /// One line for a list or a heading; never empty.
  package var headline: String {
    if let headline = reason.headline ?? reason.line { return headline }
    return switch kind {
    case .crash: "crash, no reason given"
    case .handled: "handled error"
    case .hang: "hang"
    case .oom: "out of memory"
    case .other: "report, no reason given"
    }
  }
}
