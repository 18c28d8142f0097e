extension CrashReport {
  /// The positions of the images in which frames lie that are the app's own, or that may be for all
  /// that is known.
  public var inAppImages: Set<Int> {
    var images: Set<Int> = []
    func add(_ frames: [Frame]) {
      for frame in frames where frame.inApp != false {
        if let image = frame.image { images.insert(image) }
      }
    }
    threads.forEach { add($0.frames) }
    otherStacks.forEach { add($0.frames) }
    var exceptions = [reason.exception].compactMap { $0 }
    while let exception = exceptions.popLast() {
      add(exception.frames)
      exceptions += exception.inner
    }
    return images
  }
}
