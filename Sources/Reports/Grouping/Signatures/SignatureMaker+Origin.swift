internal import CrashModel
internal import Identifiers

extension SignatureMaker {
  /// In a text of modules alone, adds a location to the first frame used, if its image's origin is unknown:
  /// the name of a single module would group all crashes in it.
  ///
  /// - Returns: Whether there is such a frame.
  func noteOrigin(
    _ frames: inout [ClassifiedFrame], _ walk: SignatureWalk,
    _ circumstances: CrashCategoryDecision,
    _ images: inout ImageOwners
  ) -> Bool {
    // Memory may run out anywhere.
    guard walk.isModules, circumstances.category != .oom else {
      return false
    }
    let start = circumstances.stack.startIndex
    for index in frames.indices
    where frames[index].frameClass == .unknown && walk.used.contains(frames[index].index) {
      let frame = circumstances.stack[start + frames[index].index]
      // No function begins where its image does.
      guard frame.imageOffset?.value != 0,
        let verdict = frame.image.flatMap({ images.verdict($0) }), verdict.origin == .undecided,
        let location = images.location(of: frame, verdict)
      else { continue }
      frames[index].locate(at: location, keeping: images.parts)
      return true
    }
    return false
  }
}
