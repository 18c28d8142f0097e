internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache

/// The images of one report with the debug files that explain them, each searched for when the first frame
/// needs it.
struct ImageLookUp {
  private(set) var images: [LoadedImage]
  /// The SHA-256 of the debug files that were used, by debug id.
  private(set) var usedDigests: [DebugID: String] = [:]
  /// The parts of the debug files that could not be read.
  private(set) var notes: [String] = []
  private let search: SymbolSearch
  private let memory: ProcessMemory?
  /// The code locations of the report's frames in each image that has no build id.
  private var unverified: [Int: [ImageAddress]]
  /// The addresses of frames in images whose load address the report does not give.
  private let unlocated: [Int: [ImageAddress]]
  /// The frames that give a function and an offset into it instead of an address, by image.
  private let named: [Int: [NamedOffset]]
  private let isOfKernel: Bool
  private var functionOffsets: [FunctionOffsets?]
  private var caches: [SymbolCache?]
  /// The linked addresses of the code of programs that were loaded where they were linked; empty for others.
  private var unmoved: [Int: [Range<UInt64>]] = [:]
  /// The distance to subtract from each image's offsets before the look-up.
  private var shifts: [UInt64]

  /// - Parameter report: The report, with the frames' images and offsets set.
  init(_ report: CrashReport, search: SymbolSearch) {
    images = report.images
    self.search = search
    memory = report.memory
    unverified = report.addressesWithoutBuildID
    unlocated = report.addressesWithoutOffset
    isOfKernel = report.process.name == "kernel"
    named = report.namedOffsets(isOfKernel: isOfKernel)
    functionOffsets = Array(repeating: nil, count: images.count)
    caches = Array(repeating: nil, count: images.count)
    shifts = Array(repeating: 0, count: images.count)
    for index in images.indices { self.images[index].symbols = SymbolStatus(.unneeded) }
  }

  /// The debug file's frames at the address, the innermost call first; empty where nothing is known. A frame
  /// that names a function instead gets its offset.
  ///
  /// - Throws: The error of a source of debug files that fails.
  mutating func lookUp(_ frame: inout Frame) throws -> [SourceFrame] {
    guard let index = frame.image, images.indices.contains(index) else { return [] }
    let namedOffset = NamedOffset(frame, isOfKernel: isOfKernel)
    if frame.imageOffset == nil, namedOffset == nil {
      guard let offset = try offset(ofUnlocated: frame, in: index) else { return [] }
      frame.imageOffset = offset
    }
    if images[index].symbols?.verdict == .unneeded { try load(index) }
    guard let cache = caches[index] else { return [] }
    var frames: [SourceFrame] = []
    if let namedOffset {
      guard let offset = offset(of: namedOffset, in: index) else { return [] }
      frame.imageOffset = offset
      cache.lookUp(frame.position.lookUp(offset), into: &frames)
      return frames
    }
    // The report's own names may be right; a file that merely has the right name may be wrong.
    let isDoubtful = images[index].symbols?.match == .name && frame.isNamed
    // WebAssembly traces have names and no locations: where the file has the same name, it may add the
    // location.
    if isDoubtful, images[index].architecture != .wasm32 || frame.file != nil { return [] }
    guard let offset = frame.imageOffset else { return [] }
    let lowered = offset.lowered(by: shifts[index])
    cache.lookUp(frame.position.lookUp(lowered), into: &frames)
    if isDoubtful {
      let outermost = frames[frames.indices].last
      guard let name = outermost?.undecoratedName ?? outermost?.name, name == frame.function else {
        return []
      }
    }
    // Functions begin at the address that the report counts from.
    if lowered != offset {
      for inner in frames.indices {
        frames[inner].functionStart = frames[inner].functionStart.map {
          ImageOffset($0.value &+ (offset.value - lowered.value))
        }
      }
    }
    return frames
  }

  /// Whether the code before a frame's address shows that it is not a return address. `false` where no file
  /// with code is known.
  ///
  /// - Throws: The error of a source of debug files that fails.
  func followsNoCall(_ frame: Frame) throws -> Bool {
    guard let index = frame.image, images.indices.contains(index), let offset = frame.imageOffset,
      let object = try search.symbols(for: images[index]).program
    else { return false }
    let address = ImageAddress(offset: offset.lowered(by: shifts[index]), position: .returnAddress)
    return CodeMatcher(object).evidence(of: [address]).contradictionCount > 0
  }

  /// The linked address of a frame in an image whose load address the report does not give; `nil` where the
  /// file does not show that both are the same.
  private mutating func offset(ofUnlocated frame: Frame, in index: Int) throws -> ImageOffset? {
    guard let addresses = unlocated[index], let address = frame.address else { return nil }
    if unmoved[index] == nil {
      let found = try search.symbols(for: images[index])
      unmoved[index] = found.object.map { $0.isLoadedWhereLinked ? $0.executableRanges : [] } ?? []
      if let ranges = unmoved[index] {
        let linked = addresses.filter {
          ranges.contains($0.position.lookUp(Address($0.offset.value)))
        }
        unverified[index, default: []] += linked
      }
    }
    guard unmoved[index]?.contains(frame.position.lookUp(address)) == true else { return nil }
    return ImageOffset(address.value)
  }

  /// Searches for the debug file of an image.
  private mutating func load(_ index: Int) throws {
    var found = try search.symbols(for: images[index])
    shifts[index] = Self.shift(of: images[index], in: found.cache)
    if named[index] != nil, let object = found.object {
      locate(&found, in: object, of: index)
    } else if let fit = found.unverified {
      verify(&found, of: index, by: fit)
    }
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

  // MARK: Functions and offsets

  private mutating func offset(of namedOffset: NamedOffset, in index: Int) -> ImageOffset? {
    switch functionOffsets[index]?.answer(to: namedOffset) {
    case .found(let offset): return offset
    case .ambiguous:
      note("\(images[index].name): several functions fit \(namedOffset.description)")
    case .different:
      note(
        "\(images[index].name): no function fits \(namedOffset.description) in"
          + " \(images[index].symbols?.file ?? "its file")")
    case .unknown, nil: break
    }
    return nil
  }

  private mutating func note(_ text: String) {
    if notes.count < 64, !notes.contains(text) { notes.append(text) }
  }

  /// Finds the functions that the report names in an image. A file that was found by its name is rejected if
  /// one of the functions has another length in it.
  private mutating func locate(
    _ found: inout SymbolSearch.Finding, in object: ObjectFile, of index: Int
  ) {
    let wanted = named[index] ?? []
    let image = images[index]
    let file = found.status.file ?? image.name
    do throws(ParseError) {
      functionOffsets[index] = try FunctionOffsets(object, names: Set(wanted.map(\.function)))
    } catch {
      found.notes.append("\(file): \(error.description)")
      return
    }
    guard found.status.match == .name, let offsets = functionOffsets[index] else { return }
    var known = 0
    var reason: String?
    var located: [ImageAddress] = []
    for namedOffset in wanted {
      switch offsets.answer(to: namedOffset) {
      case .found(let offset):
        if namedOffset.size != nil { known += 1 }
        located.append(ImageAddress(offset: offset, position: namedOffset.position))
      case .different:
        reason =
          reason
          ?? "\(namedOffset.description) is not in it: \(namedOffset.function) is"
          + " \(offsets.lengths(of: namedOffset.function)) long"
      case .ambiguous: known += 1
      case .unknown: break
      }
    }
    if let evidence = found.unverified?.evidence(of: located), evidence.isAgainst {
      reason = reason ?? evidence.description
    }
    // Some names in a report are not in any file, such as those of BPF programs.
    if reason == nil, known == 0 {
      reason =
        wanted.contains { $0.size != nil }
        ? "no function of the report has the same length in it"
        : "the report gives neither a build id nor lengths of functions"
    }
    guard let reason else {
      found.notes.append(
        "\(image.name): the report names no build id; in \(file), found by name, \(known) of"
          + " \(wanted.count) functions have the lengths of the report")
      return
    }
    reject(&found, file, because: reason)
    self.functionOffsets[index] = nil
  }

  /// Rejects a file that was found by its name if most addresses of the report do not fit its code.
  private mutating func verify(
    _ found: inout SymbolSearch.Finding, of index: Int, by fit: CodeMatcher
  ) {
    let name = images[index].name
    let file = found.status.file ?? name
    let shift = shifts[index]
    let addresses = unverified[index] ?? []
    let evidence = fit.evidence(
      of: addresses.map {
        ImageAddress(offset: $0.offset.lowered(by: shift), position: $0.position)
      })
    if evidence.isAgainst, let reason = evidence.description {
      reject(&found, file, because: reason)
      return
    }
    notes.append(
      "\(name): the report names no build id, so \(file), found by name, may be another build's"
        + (evidence.description.map { "; \($0)" } ?? ""))
  }

  private func reject(
    _ found: inout SymbolSearch.Finding, _ file: String, because reason: String
  ) {
    let tried = SymbolCandidate(
      file, .wrongCode, debugID: found.status.assumedID, detail: reason)
    found = SymbolSearch.Finding(
      status: SymbolStatus(.missing, tried: [tried]), cache: nil, debugID: nil, digest: nil)
  }

  /// Returns the shift of an image's offsets. Sanitizers print the linked addresses of a program that is not
  /// position independent, which are offsets from 0 and not from its first segment; such an image has no
  /// base, or base 0.
  private static func shift(of image: LoadedImage, in cache: SymbolCache?) -> UInt64 {
    image.base ?? Address(0) == Address(0) ? cache?.imageBase ?? 0 : 0
  }
}

extension CrashReport {
  /// The frames that give a function and an offset into it instead of an address, by image; each location
  /// once.
  fileprivate func namedOffsets(isOfKernel: Bool) -> [Int: [NamedOffset]] {
    var offsets: [Int: Set<NamedOffset>] = [:]
    func add(_ frames: [Frame]) {
      for frame in frames {
        guard let image = frame.image, let offset = NamedOffset(frame, isOfKernel: isOfKernel)
        else { continue }
        offsets[image, default: []].insert(offset)
      }
    }
    for thread in threads { add(thread.frames) }
    for stack in otherStacks { add(stack.frames) }
    return offsets.mapValues { $0.sorted { $0.description < $1.description } }
  }
}

extension ImageOffset {
  /// The offset reduced by `distance`; an offset below that was not counted from 0 and stays.
  fileprivate func lowered(by distance: UInt64) -> ImageOffset {
    value >= distance ? ImageOffset(value - distance) : self
  }
}

extension ObjectFile {
  /// Whether the addresses in memory are the linked ones: in a program for Linux or a BSD that is not
  /// position independent.
  fileprivate var isLoadedWhereLinked: Bool {
    container == .elf && imageBase > 0 && (kind == .executable || kind == .debugFile)
  }
}

extension [Range<UInt64>] {
  fileprivate func contains(_ address: Address) -> Bool {
    contains { $0.contains(address.value) }
  }
}

extension Frame {
  /// Whether the report itself names the code here.
  fileprivate var isNamed: Bool { function != nil || symbol != nil || file != nil }
}
