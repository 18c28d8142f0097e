extension CrashReport {
  /// The positions of the images in which frames lie that are the app's own, or that may be for all
  /// that is known.
  public var inAppImages: Set<Int> {
    var own: Set<Int> = []
    forEachInAppFrame { image, _ in own.insert(image) }
    return own
  }

  /// The positions of those of ``inAppImages`` whose debug files were not found, while the report itself names
  /// the function and line of each frame in them: no debug file would add a name.
  public var namedImages: Set<Int> {
    var named: Set<Int> = []
    var nameless: Set<Int> = []
    forEachInAppFrame { image, frame in
      let isNamed = frame.function != nil && frame.line != nil
      if isNamed { named.insert(image) } else { nameless.insert(image) }
    }
    return named.subtracting(nameless).filter {
      images.indices.contains($0) && images[$0].symbols?.verdict != .found
    }
  }

  private func forEachInAppFrame(_ body: (_ image: Int, _ frame: Frame) -> Void) {
    func visit(_ frames: [Frame]) {
      for frame in frames where frame.inApp != false {
        if let image = frame.image { body(image, frame) }
      }
    }
    threads.forEach { visit($0.frames) }
    otherStacks.forEach { visit($0.frames) }
    var exceptions = [reason.exception].compactMap { $0 }
    while let exception = exceptions.popLast() {
      visit(exception.frames)
      exceptions += exception.inner
    }
  }
}
