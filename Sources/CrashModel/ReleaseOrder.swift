/// In which order the releases of an app came.
///
/// Those that somebody put in order stand in that order. Any other comes after the last of those that
/// it follows by its numbers, or before all where it follows none; among each other they stand by
/// their numbers. Where nobody ordered anything, that is the order of the numbers.
public struct ReleaseOrder: Sendable {
  private let positions: [Release: Int]
  private let ordered: [Release]

  /// - Parameter ordered: The releases that somebody put in order, oldest first.
  public init(_ ordered: [Release] = []) {
    self.ordered = ordered
    positions = Dictionary(zip(ordered, 0...)) { first, _ in first }
  }

  /// Whether somebody put releases in order.
  public var isSet: Bool { !ordered.isEmpty }

  /// Whether `left` came before `right`.
  public func precedes(_ left: Release, _ right: Release) -> Bool {
    let (one, other) = (position(of: left), position(of: right))
    if one.after != other.after { return one.after < other.after }
    if one.isOrdered != other.isOrdered { return one.isOrdered }
    return left.precedesByNumber(right)
  }

  /// The releases, oldest first.
  public func sorted(_ releases: some Sequence<Release>) -> [Release] {
    releases.sorted(by: precedes)
  }

  /// The ordered release that it is, or the last one that it follows; -1 for none.
  private func position(of release: Release) -> (after: Int, isOrdered: Bool) {
    if let position = positions[release] { return (position, true) }
    let before = ordered.lastIndex { $0.precedesByNumber(release) }
    return (before ?? -1, false)
  }
}
