internal import Synchronization

/// The facts of an image's name and path, whatever the report.
final class KnownImage: Sendable {
  let name: RawText
  /// The name without folder and version.
  let bytes: NameBytes
  let isUnnamed: Bool
  /// The same in brackets.
  let spelling: NormalisedName
  /// The rule that takes it for a library of a platform.
  let platformRule: String?
  /// The rule that takes it for one where no path says whose it is.
  let libraryRule: String?
  /// The rule by which its functions without a name say only how the process died.
  let runtimeRule: String?
  let pathRule: (origin: ImageOrigin?, id: String)?

  private static let runtimes = PatternTable(ListedRule.rules(of: RuleLists.runtimes))
  private static let libraries = PatternTable(ListedRule.rules(of: RuleLists.libraries))
  private static let table = PatternTable(ListedRule.rules(of: RuleLists.images))

  init(name: String, path: String) {
    self.name = RawText(name)
    bytes = ImageOwners.normalise(name.isEmpty ? path : name)
    isUnnamed = NameNormaliser.isMissing(bytes)
    spelling = NormalisedName(image: "[\(bytes.text)]")
    let byName = Self.table.match(bytes)
    platformRule = byName?.origin == .platform ? byName?.id : nil
    libraryRule = Self.libraries.match(bytes)?.id
    runtimeRule = Self.runtimes.match(bytes)?.id
    pathRule = Self.table.match(Scrubbing.scrub(path, limit: SigningLimits.nameBytes)).map {
      ($0.origin, $0.id)
    }
  }
}

/// Images that were looked at before. This memory changes the time, never the result.
final class ImageMemo: Sendable {
  private let images = Mutex<[RawText: KnownImage]>([:])
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func image(name: String, path: String) -> KnownImage {
    guard capacity > 0, name.utf8.count + path.utf8.count <= SigningLimits.rememberedNameBytes
    else {
      return KnownImage(name: name, path: path)
    }
    let key = RawText(path)
    if let known = images.withLock({ $0[key] }), known.name == RawText(name) { return known }
    let image = KnownImage(name: name, path: path)
    images.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[key] = image
    }
    return image
  }
}
