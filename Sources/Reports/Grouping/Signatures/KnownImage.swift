/// The facts of an image's name and path, whatever the report.
final class KnownImage: Sendable {
  let name: String
  let path: String
  /// The name without folder and version.
  let bytes: NameBytes
  let isUnnamed: Bool
  /// The name in brackets.
  let spelling: NormalisedName
  /// The rule that takes it for a library of a platform.
  let platformRule: String?
  /// The rule that takes it for one if its path does not decide.
  let libraryRule: String?
  /// The rule by which its functions without a name show only how the process died.
  let runtimeRule: String?
  let pathRule: (origin: ImageOrigin?, id: String)?

  init(name: String, path: String, rules: RulesVersion) {
    self.name = name
    self.path = path
    let plain = ImageOwners.normalise(name.isEmpty ? path : name)
    bytes = BundleName.withoutHash(plain)
    isUnnamed = NameNormaliser.isMissing(bytes)
    spelling = NormalisedName(image: "[\(bytes.text)]")
    let byName = rules.images.match(bytes)
    platformRule = byName?.origin == .platform ? byName?.id : nil
    libraryRule = rules.libraries.match(bytes)?.id
    runtimeRule = rules.runtimes.match(bytes)?.id
    pathRule = rules.images.match(Scrubbing.scrub(path, limit: SigningLimits.nameBytes)).map {
      ($0.origin, $0.id)
    }
  }
}

extension KnownImage: NameCacheValue {
  var memoText: String { path }
}
