public import Identifiers

/// The offer to a client of App Center's SDKs that checks for an update, and the reasons.
public struct CheckExplanation: Hashable, Sendable {
  /// The client's reaction to the answer. The raw values are used in documents.
  public enum Result: String, CaseIterable, Sendable {
    /// It offers the release to its user.
    case update
    /// It is offered no release.
    case none
    /// It does not take the offered release for newer than the installed one.
    case notNewer = "not-newer"
    /// The offered release needs a newer system.
    case system
  }

  /// Why a file is offered or not. The raw values are used in documents.
  public enum Verdict: String, CaseIterable, Sendable {
    case offered
    /// It was added before the one that is offered.
    case earlier
    case disabled
    /// It is for other systems.
    case platform
    /// The SDK would not understand the answer.
    case unreadable
    /// Only stores can install it.
    case bundle
    /// It is not published.
    case unpublished
    /// It is published to others.
    case recipients
    /// Its roll-out is paused.
    case paused
    /// It is rolled out to other installations.
    case rollout
  }

  /// A file of the app, and why it is offered or not.
  public struct File: Hashable, Sendable {
    public var number: Int
    public var release: Release
    public var verdict: Verdict
    /// A sentence.
    public var reason: String

    public init(number: Int, release: Release, verdict: Verdict, reason: String) {
      self.number = number
      self.release = release
      self.verdict = verdict
      self.reason = reason
    }
  }

  public var app: String
  public var platform: ArtefactPlatform
  /// The installed release; empty if it is unknown.
  public var installed: Release
  public var result: Result
  /// A sentence.
  public var reason: String
  /// The number of the offered file.
  public var offered: Int?
  /// Whether the client has to install it.
  public var isMandatory = false
  /// The group of the crash that it fixes: `TERN-12`.
  public var fix: String?
  /// All files of the app, the last one added first.
  public var files: [File]

  public init(
    app: String, platform: ArtefactPlatform, installed: Release, result: Result, reason: String,
    files: [File]
  ) {
    self.app = app
    self.platform = platform
    self.installed = installed
    self.result = result
    self.reason = reason
    self.files = files
  }
}

extension AppUpdates {
  /// Explains a check for an update.
  ///
  /// - Parameters:
  ///   - installed: The installed release; empty if it is unknown.
  ///   - system: The version of the client's system, for Android the API level; `nil` if it is unknown.
  ///   - all: All files of the app, the last one added first, those that are disabled among them.
  public func explanation(
    for client: SDKClient, on platform: ArtefactPlatform, installed: Release, system: String?,
    files all: [Artefact]
  ) -> CheckExplanation {
    let offer = newest(for: client)
    var isPassed = false
    let files = all.map { artefact -> CheckExplanation.File in
      let isOffered = artefact.number == offer?.artefact.number
      var (verdict, reason) = denial(of: artefact, for: client) ?? (.earlier, "added earlier")
      if isOffered {
        verdict = .offered
        reason = offer.map { recipient(of: $0) } ?? ""
        isPassed = true
      } else if isPassed, verdict != .disabled {
        (verdict, reason) = (.earlier, "added before the one that is offered")
      }
      return .init(
        number: artefact.number, release: artefact.release, verdict: verdict, reason: reason)
    }
    var explanation = CheckExplanation(
      app: app, platform: platform, installed: installed, result: .none,
      reason: "No release is offered to this client.", files: files)
    guard let offer else { return explanation }
    explanation.offered = offer.artefact.number
    explanation.isMandatory = offer.isMandatory
    explanation.fix = offer.fix?.group
    (explanation.result, explanation.reason) = decision(
      about: offer, client, installed: installed, system: system)
    return explanation
  }

  /// Why a file can't be offered to a client; `nil` if it can.
  private func denial(
    of artefact: Artefact, for client: SDKClient
  ) -> (CheckExplanation.Verdict, String)? {
    guard artefact.isEnabled else { return (.disabled, "disabled") }
    guard client.platforms.contains(artefact.platform) else {
      return (.platform, "for \(artefact.platform.rawValue)")
    }
    guard artefact.isReadableBySDK else {
      let name = artefact.release.build.isEmpty ? "no build" : "the build \(artefact.release.build)"
      return (
        .unreadable,
        Int32(artefact.release.build) == nil
          ? "the SDK for Android needs a number as the build, and it has \(name)"
          : "its package could not be read, so that it has no hash"
      )
    }
    guard !artefact.destinations.isEmpty else { return (.unpublished, "not published") }
    guard destination(of: artefact, for: client.audience) != nil else {
      return (.recipients, "published to others: \(recipients(of: artefact))")
    }
    let hasIt = client.hash.map(artefact.package.hashes.contains) ?? false
    if !hasIt, !isRolledOut(artefact.release, to: client.installation) {
      let rollout = rollouts[artefact.release]
      if let pause = rollout?.pause { return (.paused, "its roll-out is paused: \(pause)") }
      let share = "rolled out to \(rollout?.percent ?? 0) %"
      return (
        .rollout,
        client.installation == nil
          ? share + ", and the installation is unknown" : share + ", and not to this installation"
      )
    }
    return artefact.package.kind == .aab ? (.bundle, "only stores install from an .aab") : nil
  }

  private func recipients(of artefact: Artefact) -> String {
    let names = artefact.destinations.map { name(of: $0) }.sorted()
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? shown + " and \(names.count - 3) more" : shown
  }

  private func name(of destination: Artefact.Destination) -> String {
    switch destination.kind {
    case .tester: testers[destination.id]?.email ?? destination.id
    case .group:
      groups[destination.id].map { "\($0.name) (\($0.isPublic ? "public" : "private"))" }
        ?? destination.id
    }
  }

  private func recipient(of offer: Offer) -> String {
    var text = "offered through \(name(of: offer.destination))"
    if offer.isMandatory { text += ", mandatory" }
    return text
  }

  /// The SDK's reaction to an offer.
  private func decision(
    about offer: Offer, _ client: SDKClient, installed: Release, system: String?
  ) -> (CheckExplanation.Result, String) {
    let artefact = offer.artefact
    let name = artefact.release.name
    let isAndroid = artefact.platform == .android
    if let system, let least = artefact.package.minimumOS,
      // A level with a name is not released yet: the SDK gets the lowest one instead.
      !isAndroid || Int32(least) != nil, AppleVersion.compareNumbers(in: system, and: least) < 0
    {
      let needed = isAndroid ? "API level \(least)" : "\(artefact.platform.rawValue) \(least)"
      return (
        .system, "\(name) is offered, but it needs \(needed), and the client has \(system)."
      )
    }
    if !installed.isEmpty, !isNewer(artefact, than: installed, client) {
      return (
        .notNewer,
        "\(name) is offered, but the SDK does not take it for newer than \(installed.name)."
      )
    }
    var text = "The client offers \(name) to its user"
    if offer.isMandatory { text += ", who has to install it" }
    if let fix = offer.fix?.group { text += "; it fixes \(fix), which the installed build has" }
    return (.update, text + ".")
  }

  /// The comparison of the platform's SDK.
  ///
  /// Source: MSACDistributeUtil.m; Distribute.java, `isMoreRecent`.
  private func isNewer(
    _ artefact: Artefact, than installed: Release, _ client: SDKClient
  ) -> Bool {
    let (offered, hashes) = (artefact.release, artefact.package.hashes)
    guard artefact.platform == .android else {
      return AppleVersion.isNewer(offered, hashes: hashes, than: installed, hash: client.hash)
    }
    // Without its build, nothing is known of the installed one that the SDK compares.
    guard let new = Int32(offered.build), let old = Int32(installed.build) else { return true }
    if new != old { return new > old }
    return client.hash.map { $0 != hashes.first } ?? (offered != installed)
  }
}
