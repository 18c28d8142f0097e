internal import CrashModel
internal import Identifiers
internal import StackWalking
internal import UnwindRules

extension CrashReport {
  /// Walks the stacks of threads that have registers and no frames, in the memory that a dump holds; that of
  /// the thread that crashed first.
  ///
  /// - Returns: What the walk used, and what it lacked.
  /// - Throws: What a source of debug files throws that cannot tell.
  mutating func walkStacks(_ unwind: UnwindSearch, _ symbols: SymbolSearch) throws -> WalkedImages {
    guard let memory, let architecture = device.architecture ?? images.first?.architecture else {
      return WalkedImages()
    }
    let top = images.lazy.compactMap { image in
      image.base?.value.addingReportingOverflow(image.size ?? 0).partialValue
    }.max()
    guard
      let walker = StackWalker(memory, architecture: architecture, os: os.name, top: top ?? 0)
    else {
      notes.append("the stacks of \(architecture) cannot be walked")
      for index in threads.indices where threads[index].frames.isEmpty {
        guard let pc = threads[index].registers.first(where: { ["pc", "srr0"].contains($0.name) })
        else { continue }
        threads[index].frames = [
          Frame(address: Address(pc.value), position: .exact, trust: .context)
        ]
      }
      return WalkedImages()
    }
    var code = ImageCode(images: images, memory: memory, unwind: unwind, symbols: symbols)
    var budget = WalkBudget()
    var unfinished = 0
    let crashed = crashedThread.flatMap { threads.indices.contains($0) ? $0 : nil }
    for index in (crashed.map { [$0] } ?? []) + threads.indices.filter({ $0 != crashed })
    where threads[index].frames.isEmpty {
      let stack = try walker.walk(
        threads[index].registers, in: &code, &budget, hasRegisters: index == crashed)
      threads[index].frames = stack.frames
      if stack.isCut { unfinished += 1 }
      if stack.omitted > 0 {
        notes.append(
          "the stack of thread \(index) has \(stack.frames.count + stack.omitted) frames; "
            + "\(stack.omitted) in the middle are left out")
      }
    }
    if unfinished > 0 {
      notes.append(
        "the stacks of \(unfinished) threads are not walked to their end: the dump has too many frames"
      )
    }
    return code.walked
  }
}

/// The images by whose rules the stacks of a report were walked.
struct WalkedImages {
  /// The SHA-256 of the files that had rules, by debug id.
  var digests: [DebugID: String] = [:]
  /// The images that have frames and no rules.
  var withoutRules: Set<Int> = []
}
