import CrashModel
import Pipeline

extension TriageGroup {
  /// Where in the app's own code the group's reports crashed: `src/Renderer.cpp:88:12`.
  var place: String? {
    guard let index = exemplar.crashedThread, exemplar.threads.indices.contains(index)
    else { return nil }
    let frames = exemplar.threads[index].frames
    let placed = frames.filter(\.hasPlace)
    let own = placed.first { $0.inApp == true } ?? placed.first
    return own.flatMap { FrameText($0, in: exemplar).place }
  }
}

extension Frame {
  /// Whether the frame has a place that a person can open; code that the compiler made has none.
  fileprivate var hasPlace: Bool {
    guard let file, let line, line > 0 else { return false }
    return !file.hasSuffix("<compiler-generated>")
  }
}
