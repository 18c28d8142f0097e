package import CrashModel
package import Pipeline

extension CrashReport {
  /// Where in the app's own code it crashed: `src/Renderer.cpp:88:12`.
  package var place: String? {
    // The stack that the signature is made from, and the function that it blames there: above it may stand what the
    // app has inlined of a library.
    if let frames = signedStack {
      let named = signature?.steps.filter { $0.used && $0.frame != nil } ?? []
      let blamed = (named.first { $0.frameClass == "app" } ?? named.last)?.frame
      // What shows only how the process died is not the place: `abort` stands in the C library's files.
      let dying = Set(
        signature?.steps.compactMap { $0.frameClass == "death" ? $0.frame : nil } ?? [])
      let placed = frames.indices.filter { frames[$0].hasPlace && !dying.contains($0) }.map {
        frames[$0]
      }
      let frame =
        blamed.flatMap { frames.indices.contains($0) && frames[$0].hasPlace ? frames[$0] : nil }
        ?? placed.first { $0.inApp == true } ?? placed.first
      if frame != nil || frames.contains(where: \.hasPlace) {
        return frame.flatMap { FrameText($0, in: self).place }
      }
    }
    var stacks: [[Frame]] = []
    if let crashedThread, threads.indices.contains(crashedThread) {
      stacks.append(threads[crashedThread].frames)
    }
    if let exception = reason.exception { stacks.append(exception.frames) }
    guard let frames = stacks.first(where: { $0.contains(where: \.hasPlace) }) else { return nil }
    let placed = frames.filter(\.hasPlace)
    let frame = placed.first { $0.inApp == true } ?? placed.first
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
