/// A setting of an app's updates that its owner can change.
public enum UpdateSetting: String, CaseIterable, Sendable {
  /// The number of the app in Apple's store.
  case storeID = "store_id"
  /// The target of "update" in clients of the iTunes lookup.
  case storeURL = "store_url"
  /// Whether the install page lists releases that came before the newest: `yes` or `no`.
  case olderReleases = "older_releases"

  /// The reason why a value cannot be set; `nil` for a valid one.
  public func problem(of value: String) -> String? {
    switch self {
    case .storeID:
      guard let number = Int(value), (1...StoreListing.largestTrackID).contains(number),
        String(number) == value
      else { return "a number from 1 to \(StoreListing.largestTrackID) is expected" }
      return nil
    case .storeURL:
      guard value.utf8.count <= RemoteConfiguration.Limits.url else { return "it is too long" }
      return RemoteConfigurationURL.problem(of: value)
    case .olderReleases:
      return ["yes", "no"].contains(value) ? nil : "yes or no is expected"
    }
  }
}
