internal import Identifiers

/// A reason why a published file reaches fewer clients than its publication suggests, or none.
public struct ReleaseWarning: Hashable, Sendable {
  /// The raw values are used in documents.
  public enum Kind: String, CaseIterable, Sendable {
    /// An Android app bundle, from which only stores can install.
    case appBundle = "app-bundle"
    /// A version that App Center's SDK for iOS does not compare.
    case incomparable
    /// It was added after a release that comes later in the order of releases.
    case lower
    /// It needs a system that no report came from.
    case system
    /// A version that clients of the iTunes lookup do not compare.
    case lookup
  }

  /// The number of the file within its app.
  public var number: Int
  public var kind: Kind
  /// The reason and what follows from it, in a sentence.
  public var text: String

  public init(number: Int, kind: Kind, text: String) {
    self.number = number
    self.kind = kind
    self.text = text
  }
}

extension AppUpdates {
  /// Returns why a file is not offered to some or all of its recipients, the gravest reason first. A file
  /// that is disabled or not published has none.
  ///
  /// - Complexity: O(*n*) in the files of the app.
  public func warnings(
    of artefact: Artefact, systems: SeenSystems = SeenSystems()
  ) -> [ReleaseWarning] {
    guard artefact.isEnabled, !artefact.destinations.isEmpty else { return [] }
    let name = artefact.release.name
    var warnings: [ReleaseWarning] = []
    func warn(_ kind: ReleaseWarning.Kind, _ text: String) {
      warnings.append(ReleaseWarning(number: artefact.number, kind: kind, text: text))
    }
    if artefact.package.kind == .aab {
      warn(
        .appBundle,
        "\(name): no device is offered it: only stores install from an .aab; add an .apk")
    }
    if artefact.platform == .iOS, !AppleVersion.isComparable(artefact.release.version) {
      warn(
        .incomparable,
        "\(name): App Center's SDK for iOS takes it for older than any version of one to three"
          + " numbers, and installs no update to it")
    }
    // There is no such SDK for other systems.
    if [.iOS, .android].contains(artefact.platform), let later = laterOffer(than: artefact) {
      warn(
        .lower,
        "\(name): it was added after \(later.name), which comes later in the order of releases:"
          + " App Center's SDKs are offered \(name) alone, so installations between the two get no"
          + " update; other clients go by that order")
    }
    if let newest = systems.tooOld(for: artefact) {
      let (wanted, isAndroid) = (artefact.package.minimumOS ?? "", artefact.platform == .android)
      let system = isAndroid ? "API level \(wanted)" : "\(artefact.platform.rawValue) \(wanted)"
      warn(
        .system,
        "\(name): it needs \(system), and no report came from a system newer than"
          + " \(artefact.platform.rawValue) \(newest)")
    }
    if [.iOS, .macOS].contains(artefact.platform),
      destination(of: artefact, for: .anyone) != nil,
      let problem = StoreVersion.problem(of: artefact.release)
    {
      warn(.lookup, problem)
    }
    return warnings
  }

  /// The latest release in the order of releases among files that were added before and that share a
  /// recipient with this one, if it comes after this one.
  private func laterOffer(than artefact: Artefact) -> Release? {
    let recipients = Set(artefact.destinations.map(\.id))
    var latest: Release?
    for other in artefacts
    where other.number < artefact.number && other.platform == artefact.platform
      && other.package.kind != .aab
      && order.precedes(latest ?? artefact.release, other.release)
      && other.destinations.contains(where: { recipients.contains($0.id) })
    {
      latest = other.release
    }
    return latest
  }
}
