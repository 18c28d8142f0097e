internal import CrashModel
internal import SymbolCache

/// The images of one report with the debug files that explain them, each searched for when the
/// first frame needs it.
struct ImageLookUp {
  private(set) var images: [LoadedImage]
  /// The SHA-256 of the debug files that were used, by debug id.
  private(set) var usedDigests: [DebugID: String] = [:]
  /// The parts of them that could not be read.
  private(set) var notes: [String] = []
  private let search: SymbolSearch
  private let memory: ProcessMemory?
  /// Where the report's frames lie in each image that has no build id.
  private let unverified: [Int: [(offset: ImageOffset, position: CodePosition)]]
  private var caches: [SymbolCache?]
  /// The distance to subtract from each image's offsets before they are looked up.
  private var shifts: [UInt64]

  /// - Parameter report: With the frames' images and offsets.
  init(_ report: CrashReport, search: SymbolSearch) {
    images = report.images
    self.search = search
    memory = report.memory
    unverified = report.placesWithoutBuildID
    caches = Array(repeating: nil, count: images.count)
    shifts = Array(repeating: 0, count: images.count)
    for index in images.indices { self.images[index].symbols = SymbolStatus(.unneeded) }
  }

  /// The debug file's frames at the address, the innermost call first; empty where nothing is
  /// known.
  ///
  /// - Throws: The error of a source of debug files that fails.
  mutating func lookUp(_ frame: Frame) throws -> [SourceFrame] {
    guard let index = frame.image, images.indices.contains(index), let offset = frame.imageOffset
    else { return [] }
    if images[index].symbols?.verdict == .unneeded {
      var found = try search.symbols(for: images[index])
      shifts[index] = Self.shift(of: images[index], in: found.cache)
      if let fit = found.unverified { verify(&found, of: index, by: fit) }
      if found.cache == nil, let symbols = MemoryObject(images[index], in: memory)?.symbols {
        found.cache = symbols
        found.status = SymbolStatus(.found, file: images[index].name)
      }
      images[index].symbols = found.status
      if images[index].package == nil { images[index].package = found.package }
      caches[index] = found.cache
      notes += found.notes
      if let id = found.debugID, let digest = found.digest { usedDigests[id] = digest }
    }
    guard let cache = caches[index] else { return [] }
    // The report's own names may be right; a file that only has the right name may be wrong.
    if images[index].symbols?.match == .name, frame.isNamed { return [] }
    var frames: [SourceFrame] = []
    cache.lookUp(frame.position.lookUp(offset.lowered(by: shifts[index])), into: &frames)
    return frames
  }

  /// Takes a file back that was found by its name where an address of the report does not fit its
  /// code.
  private mutating func verify(_ found: inout SymbolSearch.Finding, of index: Int, by fit: CodeFit)
  {
    let name = images[index].name
    let file = found.status.file ?? name
    let reason = (unverified[index] ?? []).lazy.compactMap { [shift = shifts[index]] place in
      fit.contradiction(at: place.offset.lowered(by: shift), place.position)
    }.first
    guard let reason else {
      notes.append(
        "\(name): the report names no build id, so \(file), found by name, may be another build's")
      return
    }
    let tried = SymbolCandidate(
      file, .wrongCode, debugID: found.status.assumedID, detail: reason)
    found = SymbolSearch.Finding(
      status: SymbolStatus(.missing, tried: [tried]), cache: nil, debugID: nil, digest: nil)
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

extension Frame {
  /// Whether the report itself says what stands here.
  fileprivate var isNamed: Bool { function != nil || symbol != nil || file != nil }
}
