internal import CrashModel
internal import SymbolCache

/// The images of one report with the debug files that explain them, each searched for when the first
/// frame needs it.
struct ImageLookUp {
  private(set) var images: [LoadedImage]
  /// The SHA-256 of the debug files that were used, by debug id.
  private(set) var usedDigests: [DebugID: String] = [:]
  /// What of them could not be read.
  private(set) var notes: [String] = []
  private let search: SymbolSearch
  private var caches: [SymbolCache?]
  /// What to take off each image's offsets before they are looked up.
  private var shifts: [UInt64]

  init(images: [LoadedImage], search: SymbolSearch) {
    self.images = images
    self.search = search
    caches = Array(repeating: nil, count: images.count)
    shifts = Array(repeating: 0, count: images.count)
    for index in images.indices { self.images[index].symbols = SymbolStatus(.unneeded) }
  }

  /// What the debug file says of the frame's place, the innermost call first; empty where nothing is
  /// known.
  mutating func lookUp(_ frame: Frame) -> [SourceFrame] {
    guard let index = frame.image, images.indices.contains(index), let offset = frame.imageOffset
    else { return [] }
    if images[index].symbols?.verdict == .unneeded {
      let found = search.symbols(for: images[index])
      images[index].symbols = found.status
      caches[index] = found.cache
      notes += found.notes
      shifts[index] = Self.shift(of: images[index], in: found.cache)
      if let id = found.debugID, let digest = found.digest { usedDigests[id] = digest }
    }
    guard let cache = caches[index] else { return [] }
    var frames: [SourceFrame] = []
    cache.lookUp(frame.position.lookUp(offset.lowered(by: shifts[index])), into: &frames)
    return frames
  }

  /// Sanitizers print addresses of a program that is not position independent as they were linked,
  /// which are offsets from 0 and not from its first segment; such an image has no base, or base 0.
  private static func shift(of image: LoadedImage, in cache: SymbolCache?) -> UInt64 {
    image.base ?? Address(0) == Address(0) ? cache?.imageBase ?? 0 : 0
  }
}

extension ImageOffset {
  /// An offset below `distance` was not counted from 0 and stays.
  fileprivate func lowered(by distance: UInt64) -> ImageOffset {
    value >= distance ? ImageOffset(value - distance) : self
  }
}
