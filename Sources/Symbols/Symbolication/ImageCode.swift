internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import StackWalking
internal import SymbolCache
internal import UnwindRules

/// The images of a report as a walk sees them.
struct ImageCode: WalkedCode {
  private let images: [LoadedImage]
  private let memory: ProcessMemory
  private let map: ImageMap
  private let unwind: UnwindSearch
  private let symbols: SymbolSearch
  /// Facts about each image that were asked for so far.
  private var known: [Knowledge]
  /// The image of the last look-up, and its addresses.
  private var last: (addresses: Range<UInt64>, image: Int)?
  private var frames: [SourceFrame] = []
  private(set) var walked = WalkedImages()

  private struct Knowledge {
    var finding: UnwindSearch.Finding?
    /// Its rules, once a frame was in the image.
    var walkedRules: [UnwindRules]?
    var symbols: SymbolSearch.Finding??
    var code: ProgramCode??
  }

  init(
    images: [LoadedImage], memory: ProcessMemory, unwind: UnwindSearch, symbols: SymbolSearch
  ) {
    self.images = images
    self.memory = memory
    self.unwind = unwind
    self.symbols = symbols
    map = ImageMap(images)
    known = Array(repeating: Knowledge(), count: images.count)
  }

  mutating func image(at address: Address) -> (image: Int, offset: UInt64)? {
    if let last, last.addresses.contains(address.value) {
      return (last.image, address.value - last.addresses.lowerBound)
    }
    guard let index = map.image(at: address), let base = images[index].base else { return nil }
    last = (base.value..<address.value, index)
    return (index, address.value - base.value)
  }

  mutating func rules(of image: Int) throws -> [UnwindRules] {
    if let rules = known[image].walkedRules { return rules }
    let found = try finding(of: image)
    known[image].walkedRules = found.rules
    if let id = found.debugID, let digest = found.digest { walked.digests[id] = digest }
    if found.rules.isEmpty, images[image].hasBuildID { walked.withoutRules.insert(image) }
    return found.rules
  }

  private mutating func finding(of image: Int) throws -> UnwindSearch.Finding {
    if let finding = known[image].finding { return finding }
    var finding = try unwind.rules(for: images[image], in: memory)
    if finding.rules.isEmpty,
      let own = MemoryObject(images[image], in: memory)?.rules
        ?? MemoryRules(images[image], in: memory)?.rules
    {
      finding.rules = [own]
    }
    known[image].finding = finding
    return finding
  }

  /// In a function where the image's functions are known, else in the image.
  mutating func isCode(_ address: Address) throws -> Bool {
    guard let (image, offset) = image(at: address) else { return false }
    let cache = try cache(of: image)
    let rules = try finding(of: image).rules
    if cache == nil, rules.isEmpty { return true }
    if let offset = UInt32(exactly: offset) {
      for rules in rules where rules.lookUp(offset) != nil { return true }
    }
    return function(at: offset, in: cache) != nil
  }

  mutating func functionStart(at address: Address) throws -> Address? {
    guard let (image, offset) = image(at: address), let base = images[image].base,
      let start = function(at: offset, in: try cache(of: image))?.functionStart
    else { return nil }
    return Address(base.value &+ start.value)
  }

  mutating func isSwift(_ image: Int) throws -> Bool { try finding(of: image).isSwift }

  /// By the mangled name, which ends with the kind of function and a number.
  ///
  /// Source: Swift, `docs/ABI/Mangling.rst`: "await resume partial function" is `TQ`, "suspend resume" `TY`.
  mutating func isResumption(at address: Address) throws -> Bool {
    guard let (image, offset) = image(at: address),
      let name = function(at: offset, in: try cache(of: image))?.name?.utf8,
      name.last == UInt8(ascii: "_")
    else { return false }
    let kind = name.dropLast().reversed().drop { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    return kind.starts(with: "QT".utf8) || kind.starts(with: "YT".utf8)
  }

  mutating func functionOfGo(at address: Address) throws -> String? {
    guard let (image, offset) = image(at: address), try finding(of: image).isGo else { return nil }
    let name = function(at: offset, in: try cache(of: image))?.name
    for suffix in [".abi0", ".abiinternal"] where name?.hasSuffix(suffix) == true {
      return name.map { String($0.dropLast(suffix.count)) }
    }
    return name
  }

  mutating func variable(_ name: String, ofImageAt address: Address) throws -> Address? {
    guard let (image, _) = image(at: address), let base = images[image].base,
      let object = try symbols(of: image)?.object,
      let value = try? object.address(ofVariable: name)
    else { return nil }
    return Address(base.value &+ value &- object.imageBase)
  }

  mutating func code(at address: Address, count: Int) throws -> UInt64? {
    guard let (image, offset) = image(at: address) else { return nil }
    if let code = known[image].code { return code?.number(at: offset, count: count) }
    let code = try unwind.code(of: images[image], in: memory)
    known[image].code = .some(code)
    return code?.number(at: offset, count: count)
  }

  /// The function that holds an offset, without those inlined into it.
  private mutating func function(at offset: UInt64, in cache: SymbolCache?) -> SourceFrame? {
    frames.removeAll(keepingCapacity: true)
    cache?.lookUp(ImageOffset(offset), into: &frames)
    return frames.last
  }

  private mutating func cache(of image: Int) throws -> SymbolCache? {
    try symbols(of: image)?.cache
  }

  /// The symbols of the file with the image's build id; of an image without one those of the file from which
  /// memory shows that it was loaded.
  private mutating func symbols(of image: Int) throws -> SymbolSearch.Finding? {
    if let symbols = known[image].symbols { return symbols }
    var found: SymbolSearch.Finding? = try symbols.symbols(for: images[image])
    if !images[image].hasBuildID {
      let files = try finding(of: image).belonging
      if found?.digest.map(files.contains) != true { found = nil }
    }
    known[image].symbols = .some(found)
    return found
  }
}
