extension CrashReport {
  /// The stack of the signature, which its first step names; `nil` where that is not one of the report.
  package var signedStack: [Frame]? {
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
