internal import Bytes
internal import Crypto
public import Identifiers

/// An app as listed by the iTunes lookup: its newest public release that clients can compare.
public struct StoreListing: Hashable, Sendable {
  /// The largest number that every client reads exactly.
  public static let largestTrackID = 1 << 53 - 1

  public let app: String
  public let trackID: Int
  public let artefact: Artefact
  public let version: StoreVersion
  /// The time of the first public release.
  public let firstReleased: Timestamp
  /// The target of "update"; `nil` if none is set.
  public let address: String?

  /// - Parameter identifier: Only releases with this bundle identifier are listed, ignoring letter case.
  /// - Returns: `nil` where there is none.
  public init?(_ updates: AppUpdates, identifier: String? = nil, address: String? = nil) {
    let wanted = identifier?.lowercased()
    let listed = updates.artefacts.filter { artefact in
      [.iOS, .macOS].contains(artefact.platform)
        && (wanted == nil || artefact.package.identifier?.lowercased() == wanted)
        && updates.destination(of: artefact, for: .anyone) != nil
        // The request does not identify the installation.
        && updates.isRolledOut(artefact.release, to: nil)
        && StoreVersion(artefact.release.version) != nil
    }
    let fitting = listed.filter { $0.platform == .iOS }
    guard
      // Among the files of one release, the one that was added last.
      let newest = (fitting.isEmpty ? listed : fitting).reduce(
        nil,
        { (newest: Artefact?, other) in
          guard let newest else { return other }
          return updates.order.precedes(newest.release, other.release) ? other : newest
        }),
      let version = StoreVersion(newest.release.version)
    else { return nil }
    app = updates.app
    trackID = Self.trackID(of: updates)
    artefact = newest
    self.version = version
    firstReleased = listed.map(\.uploaded).min() ?? newest.uploaded
    self.address = updates.settings[UpdateSetting.storeURL.rawValue] ?? address
  }

  /// The number in Apple's store; for an app without one, another stable number.
  public static func trackID(of updates: AppUpdates) -> Int {
    if let text = updates.settings[UpdateSetting.storeID.rawValue], let number = Int(text),
      number > 0
    {
      return number
    }
    return ownTrackID(of: updates)
  }

  /// The number that an app has without one in Apple's store. It stays the same.
  public static func ownTrackID(of updates: AppUpdates) -> Int {
    let digest = SHA256.digest(of: ByteView("store\n\(updates.salt)".utf8))
    let number = digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    // Ten digits like Apple's, within 32 bits.
    return 1_000_000_000 + number % 1_000_000_000
  }
}
