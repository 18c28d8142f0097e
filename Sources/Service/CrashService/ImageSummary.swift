package import CrashModel

/// The images of a report that contain frames, with their symbol state.
package struct ImageSummary {
  package struct Entry {
    package let image: LoadedImage
    /// The number of the report's frames in the image.
    package let frames: Int
    /// Whether it contains frames of the app's own code, or of unknown code.
    package let isOwn: Bool
    /// Whether no debug file was found, while the report itself names the function and line of each of its
    /// frames that is not the system's.
    package let isNamed: Bool

    package init(image: LoadedImage, frames: Int, isOwn: Bool, isNamed: Bool = false) {
      self.image = image
      self.frames = frames
      self.isOwn = isOwn
      self.isNamed = isNamed
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
    let own = report.inAppImages
    let named = report.namedImages
    func count(_ frames: [Frame]) {
      for image in frames.lazy.compactMap(\.image) { counts[image, default: 0] += 1 }
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
      counts[index].map {
        Entry(
          image: image, frames: $0, isOwn: own.contains(index), isNamed: named.contains(index))
      }
    }
    total = report.images.count
  }

  /// The state of the symbols of the app's own images, in words; `nil` if there are none to search.
  package var ownWords: String? {
    let own = used.filter { entry in
      entry.isOwn && entry.image.symbols.map { $0.verdict != .unneeded } ?? false
    }
    guard !own.isEmpty else { return nil }
    let found = own.count { $0.image.symbols?.verdict == .found }
    let named = own.count(where: \.isNamed)
    if named == own.count { return "names came with the report" }
    return "symbols for \(found) of \(own.count) own images"
      + (named > 0 ? ", names of \(named) came with the report" : "")
  }

  /// The number of images with frames that have symbols; `nil` if none were searched.
  package var sentence: String? {
    let asked = used.filter { $0.image.symbols != nil }
    guard !asked.isEmpty else { return nil }
    let found = asked.filter { $0.image.symbols?.verdict == .found }
    let byName = found.count { $0.image.symbols?.match == .name }
    let named = asked.count(where: \.isNamed)
    return "found for \(found.count) of \(asked.count) images with frames"
      + (byName > 0 ? ", \(byName) by name, not verified" : "")
      + (named > 0 ? "; names of \(named) came with the report" : "")
  }
}

extension SymbolStatus {
  /// Whether the debug file is only assumed to be from the right build.
  package var isUnverified: Bool { verdict == .found && match == .name }

  /// The verdict in a few words; a match by name is never just "found".
  package var short: String { isUnverified ? "by name, not verified" : verdict.rawValue }
}
