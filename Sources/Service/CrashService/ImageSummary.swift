package import CrashModel

/// The images that matter to a report: those in which its frames lie, and what is known of them.
package struct ImageSummary {
  package struct Entry {
    package let image: LoadedImage
    /// How many frames of the report lie in the image.
    package let frames: Int
    /// Whether frames of the app's own code lie in it, or of nobody's known.
    package let isOwn: Bool

    package init(image: LoadedImage, frames: Int, isOwn: Bool) {
      self.image = image
      self.frames = frames
      self.isOwn = isOwn
    }
  }

  /// The images with frames, in the report's order.
  package let used: [Entry]
  /// Their places among all images.
  package let usedIndices: [Int]
  /// All images of the report.
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

  /// How many of the images with frames have symbols; `nil` when nobody has looked for any.
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
  /// Whether the debug file that was used is only assumed to be the right build's.
  package var isUnverified: Bool { verdict == .found && match == .name }

  /// The verdict in a word or two; a match by name is never just "found".
  package var short: String { isUnverified ? "by name, not verified" : verdict.rawValue }
}
