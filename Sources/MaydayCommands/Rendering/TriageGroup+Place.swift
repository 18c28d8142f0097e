import CrashModel
import Pipeline

extension TriageGroup {
  /// Where in the app's own code the group's reports crashed: `src/Renderer.cpp:88:12`.
  var place: String? {
    guard let index = exemplar.crashedThread, exemplar.threads.indices.contains(index)
    else { return nil }
    let frames = exemplar.threads[index].frames
    let own = frames.first { $0.inApp == true && $0.file != nil } ?? frames.first { $0.file != nil }
    return own.flatMap { FrameText($0, in: exemplar).place }
  }
}
