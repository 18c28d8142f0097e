package import CrashModel

/// The images of a report that contain frames, with their symbol state.
package struct ImageSummary {
  package struct Entry {
    package let image: LoadedImage
    /// The number of the report's frames in the image.
    package let frames: Int
    /// Whether it contains frames of the app's own code, or of unknown code.
    package let isOwn: Bool

    package init(image: LoadedImage, frames: Int, isOwn: Bool) {
      self.image = image
      self.frames = frames
      self.isOwn = isOwn
    }
  }

  /// The images with frames, in the report's order.
  package let used: [Entry]
  /// Their indices among all images.
  package let usedIndices: [Int]
  /// The number of all images of the report.
  package let total: Int

  package init(of report: CrashReport) {
    var counts: [Int: Int] = [:]
    var own: Set<Int> = []
    func count(_ frames: [Frame]) {
      for frame in frames {
        guard let image = frame.image else { continue }
        counts[image, default: 0] += 1
        if frame.inApp != false { own.insert(image) }
      }
    }
    report.threads.forEach { count($0.frames) }
    report.otherStacks.forEach { count($0.frames) }
    var exceptions = [report.reason.exception].compactMap { $0 }
    while let exception = exceptions.popLast() {
      count(exception.frames)
      exceptions += exception.inner
    }
    usedIndices = counts.keys.sorted().filter { report.images.indices.contains($0) }
    used = report.images.enumerated().compactMap { index, image in
      counts[index].map { Entry(image: image, frames: $0, isOwn: own.contains(index)) }
    }
    total = report.images.count
  }

  /// The number of images with frames that have symbols; `nil` if none were searched.
  package var sentence: String? {
    let asked = used.filter { $0.image.symbols != nil }
    guard !asked.isEmpty else { return nil }
    let found = asked.filter { $0.image.symbols?.verdict == .found }
    let byName = found.count { $0.image.symbols?.match == .name }
    return "found for \(found.count) of \(asked.count) images with frames"
      + (byName > 0 ? ", \(byName) by name, not verified" : "")
  }
}

extension SymbolStatus {
  /// Whether the debug file is only assumed to be from the right build.
  package var isUnverified: Bool { verdict == .found && match == .name }

  /// The verdict in a few words; a match by name is never just "found".
  package var short: String { isUnverified ? "by name, not verified" : verdict.rawValue }
}
