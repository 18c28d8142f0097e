/// What the owner of an app may set of its updates.
public enum UpdateSetting: String, CaseIterable, Sendable {
  /// The number of the app in Apple's store.
  case storeID = "store_id"
  /// Where "update" leads in clients of the iTunes lookup.
  case storeURL = "store_url"

  /// Why a value cannot be set; `nil` for one that can.
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
    }
  }
}
