public import Identifiers

/// The offer to the members of an audience whose apps check for an update.
public struct AudienceOffer: Hashable, Sendable {
  /// The name of a private group; `nil` for everyone who has the app.
  public var group: String?
  /// The newest release; `nil` if there is none.
  public var release: Release?
  public var isMandatory = false
  /// The percentage of installations to which it is rolled out; the others get the one before it.
  public var share: Int?

  public init(group: String?) { self.group = group }
}

extension AppUpdates {
  /// The offers to everyone, if the app has a public group, and to the testers of each private group.
  ///
  /// - Parameter platform: That of a client with App Center's SDK.
  public func offers(on platform: ArtefactPlatform) -> [AudienceOffer] {
    var updates = self
    // Those that some installations get.
    updates.rollouts = rollouts.filter { $0.value.pause != nil || $0.value.percent == 0 }
    var offers: [AudienceOffer] = []
    func add(_ audience: Audience, _ group: String?) {
      var result = AudienceOffer(group: group)
      let client = SDKClient(
        audience: audience, platforms: [platform], isInstallPage: platform == .android)
      if let offer = updates.newest(for: client) {
        result.release = offer.artefact.release
        result.isMandatory = offer.isMandatory
        result.share = rollouts[offer.artefact.release].flatMap {
          $0.percent < 100 ? $0.percent : nil
        }
      }
      offers.append(result)
    }
    if groups.values.contains(where: \.isPublic) { add(.anyone, nil) }
    let member = "a member"
    for group in groups.values.filter({ !$0.isPublic }).sorted(by: { $0.name < $1.name }) {
      updates.testers[member] = Tester(
        id: member, email: "", groups: [group.id], hasAccepted: true)
      add(.tester(member), group.name)
    }
    return offers
  }

  /// The updates as they would be with other recipients of a file.
  ///
  /// - Parameters:
  ///   - artefact: A file of the app, disabled or not: it counts as enabled.
  ///   - groups: The ids of all groups that it is published to.
  public func publishing(
    _ artefact: Artefact, to groups: [String], isMandatory: Bool
  ) -> AppUpdates {
    var artefact = artefact
    artefact.isEnabled = true
    artefact.destinations =
      artefact.destinations.filter { $0.kind == .tester }
      + groups.map { .init(.group, id: $0, isMandatory: isMandatory) }
    var updates = self
    updates.artefacts.removeAll { $0.number == artefact.number }
    let index =
      updates.artefacts.firstIndex { $0.number < artefact.number } ?? updates.artefacts.endIndex
    updates.artefacts.insert(artefact, at: index)
    return updates
  }
}
