/// The order in which the releases of an app appeared.
///
/// Releases ordered by the user keep that order. Any other one comes after the last of those that precede it
/// by number, or before all where none does; among themselves these are sorted by number. Where no order was
/// set, all releases are. Releases that differ only in the hashes of commits are sorted by when they were
/// first seen.
public struct ReleaseOrder: Sendable {
  private let positions: [Release: Int]
  private let ordered: [Release]
  /// When each release with a hash was first seen.
  private var firstSeen: [Release: Timestamp] = [:]

  /// - Parameter ordered: The releases that the user put in order, oldest first.
  public init(_ ordered: [Release] = []) {
    self.ordered = ordered
    positions = Dictionary(zip(ordered, 0...)) { first, _ in first }
  }

  /// Whether the user put releases in order.
  public var isSet: Bool { !ordered.isEmpty }

  /// Notes when a release was seen, which matters where its name is a hash.
  public mutating func note(_ release: Release, seen time: Timestamp) {
    if let known = firstSeen[release], known <= time { return }
    firstSeen[release] = time
  }

  /// Whether it is known when a release was first seen.
  public func hasTime(of release: Release) -> Bool { firstSeen[release] != nil }

  /// Whether two releases are ordered only by the times at which they were first seen.
  public func isByTime(_ left: Release, _ right: Release) -> Bool {
    let (one, other) = (position(of: left), position(of: right))
    return one.after == other.after && !one.isOrdered && !other.isOrdered
      && left.isUnordered(with: right)
  }

  /// Whether `left` came before `right`. Spellings of one release have no order.
  public func precedes(_ left: Release, _ right: Release) -> Bool {
    let (one, other) = (position(of: left), position(of: right))
    if one.after != other.after { return one.after < other.after }
    if one.isOrdered != other.isOrdered { return one.isOrdered }
    if left.isUnordered(with: right) {
      guard let one = firstSeen[left], let other = firstSeen[right] else { return false }
      return one < other
    }
    return !left.isSame(as: right) && left.precedesByNumber(right)
  }

  /// The releases, oldest first.
  public func sorted(_ releases: some Sequence<Release>) -> [Release] {
    releases.sorted { one, other in
      if precedes(one, other) { return true }
      return !precedes(other, one) && (one.version, one.build) < (other.version, other.build)
    }
  }

  /// The index of the release itself if it is ordered, or of the last one before it; -1 for none.
  private func position(of release: Release) -> (after: Int, isOrdered: Bool) {
    if let position = positions[release] { return (position, true) }
    guard isSet else { return (-1, false) }
    if let position = ordered.firstIndex(where: { $0.isSame(as: release) }) {
      return (position, true)
    }
    let before = ordered.lastIndex {
      !$0.isUnordered(with: release) && $0.precedesByNumber(release)
    }
    return (before ?? -1, false)
  }
}
