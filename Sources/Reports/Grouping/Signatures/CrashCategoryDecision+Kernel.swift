internal import CrashModel

extension CrashReport {
  /// Whether a kernel's own log names the function that the report is about.
  var isNamedByKernel: Bool { process.name == "kernel" && tags[.title] != nil }
}

/// Kernel reports that state their subject.
extension CrashCategoryDecision {
  mutating func decideKernelCrash(_ report: CrashReport) -> Bool {
    guard report.isNamedByKernel else { return false }
    message = nil
    let function = report.tags[.kernelFunction].flatMap {
      NameBytes($0.utf8).isNoFunction ? nil : $0
    }
    // A message without a function, such as a panic's, is all there is.
    let words = function == nil ? report.tags[.title] ?? report.reason.type : report.reason.type
    let text = words.map { MessageParameters.parameterised($0) } ?? ""
    let category: SignatureCategory =
      switch report.kind {
      case .handled: .handled
      case .hang: .hang
      case .oom: .oom
      case .crash, .other: .signal
      }
    // One bug may be a fault in one run and a sanitizer's report in the next; a warning and a deadlock are
    // other bugs.
    let isCrash = category == .signal && function != nil
    decide(category, isCrash || text.isEmpty ? [] : [text], by: "reason.type", text)
    guard let function else {
      isComplete = !leadingTokens.isEmpty
      return true
    }
    if !stack.contains(where: { $0.isNamed(function) }) {
      leadingTokens.append(function)
      isComplete = true
    }
    return true
  }

  /// Leaves out the frames above the function that the report is about, and those that the kernel marks as
  /// unreliable.
  func noteKernel(_ frames: inout [ClassifiedFrame], _ report: CrashReport) {
    guard report.isNamedByKernel, let function = report.tags[.kernelFunction] else { return }
    let start = stack.startIndex
    let guilty =
      frames.firstIndex { frame in
        let frame = stack[start + frame.index]
        return frame.isNamed(function) && frame.trust != .scan
      } ?? frames.firstIndex { stack[start + $0.index].isNamed(function) }
    guard let guilty else { return }
    for index in frames.indices {
      // Rules for a C library's functions of such names do not hold in a kernel.
      if index > guilty { frames[index].dropsAbove = false }
      if index < guilty {
        frames[index].frameClass = .death
        frames[index].ruleName = RuleName("the making of the kernel's report")
      } else if index == guilty {
        frames[index].frameClass = .app
        frames[index].ruleName = RuleName("the function that the kernel's report is about")
      } else if stack[start + frames[index].index].trust == .scan {
        frames[index].frameClass = .void
        frames[index].ruleName = RuleName("a frame that the kernel calls unreliable")
      }
    }
  }
}

extension Frame {
  /// Whether it has a name that the kernel printed: Rust's have been demangled since.
  fileprivate func isNamed(_ name: String) -> Bool { function == name || symbol == name }
}
