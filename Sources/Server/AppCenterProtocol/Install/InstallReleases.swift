internal import Identifiers
internal import ServerCore
internal import Updates

/// The releases of an app that a visitor of its install page may have.
struct InstallReleases {
  /// A release, and to whom its address is given.
  struct Offer {
    let artefact: Artefact
    let destination: Artefact.Destination
    let reader: DownloadLinks.Reader
  }

  /// The updates, limited to what the address names.
  let updates: AppUpdates
  /// The tester that the browser is signed in as, by id.
  private let tester: String?
  private let installation: String

  /// The maximum number of older releases that are listed for a system.
  static let mostOlder = 50

  /// - Parameters:
  ///   - group: The name or id of the only group whose releases count.
  ///   - network: The visitor, for roll-outs: a browser does not say which installation it is for.
  init(_ updates: AppUpdates, group: String?, tester: String?, network: String) {
    var updates = updates
    if let group {
      let named = updates.groups.values.filter { $0.name == group || $0.id == group.lowercased() }
      updates.groups = Dictionary(named.map { ($0.id, $0) }) { first, _ in first }
      for index in updates.artefacts.indices {
        updates.artefacts[index].destinations.removeAll { $0.kind == .tester }
      }
    }
    self.updates = updates
    self.tester = tester
    installation = tester ?? network
  }

  private var audiences: [(audience: AppUpdates.Audience, reader: DownloadLinks.Reader)] {
    [(.anyone, .anyone)] + (tester.map { [(.tester($0), .tester($0))] } ?? [])
  }

  /// The newest release for a system, of the public groups or of the tester's: the last in the order of releases,
  /// whenever it was added.
  func newest(on platform: ArtefactPlatform) -> Offer? {
    updates.artefacts.lazy.filter { $0.platform == platform }.compactMap { offer($0) }
      .max { isNewer($1.artefact, than: $0.artefact) }
  }

  /// Whether anything is offered on any system.
  var isEmpty: Bool { ArtefactPlatform.allCases.allSatisfy { newest(on: $0) == nil } }

  /// The releases before a newest one, if the app's owner lets them be listed.
  func older(than newest: Offer) -> [Offer] {
    guard updates.settings[UpdateSetting.olderReleases.rawValue] == "yes" else { return [] }
    let found = updates.artefacts.lazy.filter {
      $0.platform == newest.artefact.platform && $0.number != newest.artefact.number
        && !isNewer($0, than: newest.artefact)
    }.compactMap { offer($0) }
    return Array(
      found.sorted { isNewer($0.artefact, than: $1.artefact) }.prefix(Self.mostOlder))
  }

  /// The release with this number, if the page shows it.
  func release(_ number: Int) -> Offer? {
    guard let artefact = updates.artefacts.first(where: { $0.number == number }),
      let newest = newest(on: artefact.platform)
    else { return nil }
    if newest.artefact.number == number { return newest }
    return older(than: newest).first { $0.artefact.number == number }
  }

  private func offer(_ artefact: Artefact) -> Offer? {
    guard Self.isInstallable(artefact),
      updates.isRolledOut(artefact.release, to: installation)
    else { return nil }
    for (audience, reader) in audiences {
      if let destination = updates.destination(of: artefact, for: audience) {
        return Offer(artefact: artefact, destination: destination, reader: reader)
      }
    }
    return nil
  }

  /// App bundles are for stores: no device installs one.
  private static func isInstallable(_ artefact: Artefact) -> Bool { artefact.package.kind != .aab }

  private func isNewer(_ artefact: Artefact, than other: Artefact) -> Bool {
    if updates.order.precedes(other.release, artefact.release) { return true }
    if updates.order.precedes(artefact.release, other.release) { return false }
    return artefact.number > other.number
  }
}
