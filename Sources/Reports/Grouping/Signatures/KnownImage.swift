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
  let platformRule: RuleName?
  /// The rule that takes it for one if its path does not decide.
  let libraryRule: RuleName?
  /// The rule by which its functions without a name show only how the process died.
  let runtimeRule: RuleName?
  let pathRule: (origin: ImageOrigin?, rule: RuleName)?

  init(name: String, path: String, rules: RulesVersion) {
    self.name = name
    self.path = path
    let plain = ImageOwners.normalise(name.isEmpty ? path : name)
    bytes = BundleName.withoutHash(plain)
    isUnnamed = NameNormaliser.isMissing(bytes)
    spelling = NormalisedName(image: "[\(bytes.text)]")
    let byName = rules.images.match(bytes)
    platformRule = byName?.origin == .platform ? byName?.name : nil
    libraryRule = rules.libraries.match(bytes)?.name
    runtimeRule = rules.runtimes.match(bytes)?.name
    pathRule = rules.images.match(Scrubbing.scrub(path, limit: SigningLimits.nameBytes)).map {
      ($0.origin, $0.name)
    }
  }
}

extension KnownImage: NameCacheValue {
  var memoText: String { path }
}
