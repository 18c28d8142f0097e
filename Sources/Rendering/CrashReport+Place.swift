package import CrashModel
package import Pipeline

extension CrashReport {
  /// Where in the app's own code it crashed: `src/Renderer.cpp:88:12`.
  package var place: String? {
    var stacks: [[Frame]] = []
    if let crashedThread, threads.indices.contains(crashedThread) {
      stacks.append(threads[crashedThread].frames)
    }
    if let exception = reason.exception { stacks.append(exception.frames) }
    guard let frames = stacks.first(where: { $0.contains(where: \.hasPlace) }) else { return nil }
    let placed = frames.filter(\.hasPlace)
    // The function that the signature blames: above it may stand what the app has inlined of a library.
    let blamed = signature?.steps.first { $0.used && $0.frameClass == "app" }?.subject
    let frame =
      placed.first { blamed != nil && ($0.function == blamed || $0.symbol == blamed) }
      ?? placed.first { $0.inApp == true } ?? placed.first
    return frame.flatMap { FrameText($0, in: self).place }
  }
}

extension TriageGroup {
  /// Where in the app's own code the group's reports crashed.
  package var place: String? { exemplar.place }
}

extension Frame {
  /// Whether the frame has a place that a person can open; code that the compiler made has none.
  fileprivate var hasPlace: Bool {
    guard let file, let line, line > 0 else { return false }
    return !file.hasSuffix("<compiler-generated>")
  }
}
