internal import Synchronization

/// The facts of an image's name and path, whatever the report.
final class KnownImageV1: Sendable {
  let name: RawText
  /// The name without folder and version.
  let bytes: NameBytes
  let isUnnamed: Bool
  /// The same in brackets.
  let spelling: NormalisedNameV1
  /// The rule that takes it for a library of a platform.
  let platformRule: String?
  /// The rule that takes it for one where no path says whose it is.
  let libraryRule: String?
  /// The rule by which its functions without a name say only how the process died.
  let runtimeRule: String?
  let pathRule: (origin: ImageOrigin?, id: String)?

  private static let runtimes = PatternTableV1(RuleV1.rules(of: RuleListsV1.runtimes))
  private static let libraries = PatternTableV1(RuleV1.rules(of: RuleListsV1.libraries))
  private static let table = PatternTableV1(RuleV1.rules(of: RuleListsV1.images))

  init(name: String, path: String) {
    self.name = RawText(name)
    bytes = ImagesV1.normalise(name.isEmpty ? path : name)
    isUnnamed = NameNormaliser.isMissing(bytes)
    spelling = NormalisedNameV1(image: "[\(bytes.text)]")
    let byName = Self.table.match(bytes)
    platformRule = byName?.origin == .platform ? byName?.id : nil
    libraryRule = Self.libraries.match(bytes)?.id
    runtimeRule = Self.runtimes.match(bytes)?.id
    pathRule = Self.table.match(Scrubbing.scrub(path, limit: LimitsV1.nameBytes)).map {
      ($0.origin, $0.id)
    }
  }
}

/// Images that were looked at before. This memory changes the time, never the result.
final class ImageMemoV1: Sendable {
  private let images = Mutex<[RawText: KnownImageV1]>([:])
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  func image(name: String, path: String) -> KnownImageV1 {
    guard capacity > 0, name.utf8.count + path.utf8.count <= LimitsV1.rememberedNameBytes else {
      return KnownImageV1(name: name, path: path)
    }
    let key = RawText(path)
    if let known = images.withLock({ $0[key] }), known.name == RawText(name) { return known }
    let image = KnownImageV1(name: name, path: path)
    images.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[key] = image
    }
    return image
  }
}
