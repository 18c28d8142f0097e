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

  init(name: String, path: String, edition: RuleEdition) {
    self.name = RawText(name)
    bytes = ImageOwners.normalise(name.isEmpty ? path : name)
    isUnnamed = NameNormaliser.isMissing(bytes)
    spelling = NormalisedName(image: "[\(bytes.text)]")
    let byName = edition.images.match(bytes)
    platformRule = byName?.origin == .platform ? byName?.id : nil
    libraryRule = edition.libraries.match(bytes)?.id
    runtimeRule = edition.runtimes.match(bytes)?.id
    pathRule = edition.images.match(Scrubbing.scrub(path, limit: SigningLimits.nameBytes)).map {
      ($0.origin, $0.id)
    }
  }
}

/// Images that were looked at before. This memory changes the time, never the result.
final class ImageMemo: Sendable {
  private let images = Mutex<[RawText: KnownImage]>([:])
  private let edition: RuleEdition
  private let capacity: Int

  init(edition: RuleEdition, capacity: Int) {
    self.edition = edition
    self.capacity = capacity
  }

  func image(name: String, path: String) -> KnownImage {
    guard capacity > 0, name.utf8.count + path.utf8.count <= SigningLimits.rememberedNameBytes
    else {
      return KnownImage(name: name, path: path, edition: edition)
    }
    let key = RawText(path)
    if let known = images.withLock({ $0[key] }), known.name == RawText(name) { return known }
    let image = KnownImage(name: name, path: path, edition: edition)
    images.withLock {
      if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
      $0[key] = image
    }
    return image
  }
}
