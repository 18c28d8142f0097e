package import CrashModel
package import Pipeline

extension CrashReport {
  /// Where in the app's own code it crashed: `src/Renderer.cpp:88:12`.
  package var place: String? {
    // The stack that the signature is made from, and the function that it blames there: above it may stand what the
    // app has inlined of a library.
    if let frames = signedStack {
      let blamed = signature?.steps.first { $0.used && $0.frameClass == "app" && $0.frame != nil }?
        .frame
      let placed = frames.filter(\.hasPlace)
      let frame =
        blamed.flatMap { frames.indices.contains($0) && frames[$0].hasPlace ? frames[$0] : nil }
        ?? placed.first { $0.inApp == true } ?? placed.first
      if let frame { return FrameText(frame, in: self).place }
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

  /// The stack of the signature, which its first step names; `nil` where that is not one of the report.
  private var signedStack: [Frame]? {
    guard
      let name = signature?.steps.first(where: { $0.frame == nil && $0.subject == "stack" })?
        .result
    else { return nil }
    if name.hasPrefix("thread ") {
      let number = Int(name.dropFirst(7).prefix { $0.isNumber })
      return threads.first { $0.index == number }?.frames
    }
    guard name.hasPrefix("the stack on which ") else { return nil }
    // Of a cause and what wraps it the cause's counts.
    var open = reason.exception.map { [$0] } ?? []
    var found: [Frame]?
    var count = 0
    while let exception = open.popLast(), count < 64 {
      count += 1
      if !exception.frames.isEmpty,
        name == "the stack on which \(exception.type ?? "the exception") was thrown"
      {
        found = exception.frames
      }
      if let inner = exception.inner.first { open.append(inner) }
    }
    return found
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
