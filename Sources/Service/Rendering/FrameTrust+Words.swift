package import CrashModel

extension FrameTrust {
  /// How the frame was found, as the end of a sentence; `nil` if the report itself or the frame below says so.
  package var words: String? {
    switch self {
    case .context: "the thread's program counter"
    case .callFrameInformation: "found by unwind rules"
    case .framePointer: "found by frame pointer"
    case .asyncContext: "waits for the frame above"
    case .scan: "found by scanning"
    case .given, .inline: nil
    }
  }
}
