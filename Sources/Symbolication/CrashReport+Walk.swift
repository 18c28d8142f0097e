internal import SymbolCache
internal import CrashModel
internal import StackWalking
internal import UnwindRules

extension CrashReport {
  /// Walks the stacks of threads that have registers and no frames, in the memory that a dump holds.
  ///
  /// - Returns: What the walk used, and what it lacked.
  /// - Throws: What a source of debug files throws that cannot tell.
  mutating func walkStacks(_ unwind: UnwindSearch, _ symbols: SymbolSearch) throws -> WalkedImages {
    guard let memory, let architecture = device.architecture ?? images.first?.architecture else {
      return WalkedImages()
    }
    let top = images.lazy.compactMap { image in
      image.base?.value.addingReportingOverflow(image.size ?? 0).partialValue
    }.max()
    guard
      let walker = StackWalker(
        memory, architecture: architecture, isWindows: os.name == "Windows", top: top ?? 0)
    else {
      notes.append("the stacks of \(architecture) cannot be walked")
      return WalkedImages()
    }
    var code = ImageCode(images: images, unwind: unwind, symbols: symbols)
    for index in threads.indices where threads[index].frames.isEmpty {
      threads[index].frames = try walker.walk(threads[index].registers, in: &code)
    }
    return code.walked
  }
}

/// The images by whose rules the stacks of a report were walked.
struct WalkedImages {
  /// The SHA-256 of the files that had rules, by debug id.
  var digests: [DebugID: String] = [:]
  /// The images that have frames and no rules.
  var withoutRules: Set<Int> = []
}

/// The images of a report as a walk sees them.
private struct ImageCode: WalkedCode {
  private let images: [LoadedImage]
  private let map: ImageMap
  private let unwind: UnwindSearch
  private let symbols: SymbolSearch
  private(set) var walked = WalkedImages()

  init(images: [LoadedImage], unwind: UnwindSearch, symbols: SymbolSearch) {
    self.images = images
    self.unwind = unwind
    self.symbols = symbols
    map = ImageMap(images)
  }

  func place(of address: Address) -> (image: Int, offset: UInt64)? {
    guard let index = map.image(at: address), let base = images[index].base else { return nil }
    return (index, address.value - base.value)
  }

  mutating func rules(of image: Int) throws -> UnwindRules? {
    // Rules of a file that only has the right name would lead anywhere.
    guard images[image].hasBuildID else { return nil }
    let found = try unwind.rules(for: images[image])
    if let id = found.debugID, let digest = found.digest { walked.digests[id] = digest }
    if found.rules == nil { walked.withoutRules.insert(image) }
    return found.rules
  }

  /// In a function where the image's functions are known, else in the image.
  func isCode(_ address: Address) throws -> Bool {
    guard let (index, offset) = place(of: address) else { return false }
    guard images[index].hasBuildID, let cache = try symbols.symbols(for: images[index]).cache else {
      return true
    }
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(offset), into: &frames)
    return !frames.isEmpty
  }
}
