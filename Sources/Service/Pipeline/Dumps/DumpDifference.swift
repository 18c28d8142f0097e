internal import CrashModel
internal import Identifiers

/// The differences between two reports of a dump in stacks and reason; overwritten texts and callers'
/// registers are not compared.
struct DumpDifference: CustomStringConvertible {
  /// The threads whose stacks differ.
  private(set) var threads: Set<UInt64> = []
  private(set) var hasOtherReason = false
  /// A difference in facts that must be equal, whatever is kept.
  private var other: String?

  init(_ one: CrashReport, _ two: CrashReport) {
    if one.threads.map(\.id) != two.threads.map(\.id) || one.crashedThread != two.crashedThread {
      other = "the threads"
    } else if one.images.map(Identity.init) != two.images.map(Identity.init) {
      other = "the images"
    } else if one.kind != two.kind || one.device != two.device {
      other = "the kind of dump"
    }
    for (thread, copy) in zip(one.threads, two.threads)
    where thread.frames.map(\.withoutRegisters) != copy.frames.map(\.withoutRegisters) {
      threads.insert(thread.id ?? 0)
    }
    var reason = one.reason
    reason.message = two.reason.message
    reason.exception = two.reason.exception
    hasOtherReason = reason != two.reason
  }

  /// The identity of a build and its address, without its path.
  private struct Identity: Equatable {
    let base: Address?
    let size: UInt64?
    let debugID: DebugID?
    let codeID: CodeID?

    init(_ image: LoadedImage) {
      (base, size, debugID, codeID) = (image.base, image.size, image.debugID, image.codeID)
    }
  }

  var isNone: Bool { threads.isEmpty && !hasOtherReason && other == nil }
  /// Whether keeping more data may help.
  var isOfContent: Bool { other == nil }

  var description: String {
    if let other { return other }
    if threads.isEmpty { return "the reason" }
    return "the stack of thread " + threads.sorted().map(String.init).joined(separator: ", ")
  }
}

extension Frame {
  fileprivate var withoutRegisters: Frame {
    var frame = self
    frame.registers = []
    return frame
  }
}
