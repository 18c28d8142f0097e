package import CrashModel

extension CrashReport {
  /// The first frames of the app's own code on the stack that the report is about; the first frames of all if
  /// it has none.
  package func ownFrames(atMost limit: Int) -> [FrameText] {
    let crashed = crashedThread.flatMap { threads.indices.contains($0) ? threads[$0].frames : nil }
    let stacks = [signedStack, reason.exception?.frames, crashed].compactMap { $0 }
    let frames = stacks.first { !$0.isEmpty } ?? []
    let own = frames.filter { $0.inApp == true }
    return (own.isEmpty ? frames : own).prefix(limit).map { FrameText($0, in: self) }
  }
}
