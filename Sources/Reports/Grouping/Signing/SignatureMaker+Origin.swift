internal import CrashModel

extension SignatureMaker {
  /// Gives the first frame that went into a text of modules alone its location, if nothing says whose its image
  /// is: the name of the only module would bring all crashes in it together.
  ///
  /// - Returns: Whether there is such a frame.
  func noteOrigin(
    _ frames: inout [ClassifiedFrame], _ walk: SignatureWalk, _ circumstances: Circumstances,
    _ images: inout ImageOwners
  ) -> Bool {
    // Memory runs out anywhere.
    guard edition.has(.unknownOrigin), walk.isModules, circumstances.category != .oom else {
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
      frames[index].location = location
      return true
    }
    return false
  }
}
