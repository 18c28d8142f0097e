internal import Synchronization
internal import Updates

/// The listings of all apps, by the keys of a lookup. They are rebuilt when the offered releases change.
final class StoreListings: Sendable {
  private struct State {
    var generation: Int?
    var byTrackID: [Int: StoreListing] = [:]
    var byIdentifier: [String: StoreListing] = [:]
  }

  private let state = Mutex(State())

  func listing(ofTrackID number: Int, in catalog: UpdateCatalog) -> StoreListing? {
    current(catalog) { $0.byTrackID[number] }
  }

  /// - Parameter identifier: The bundle identifier in any letter case, as with Apple.
  func listing(ofIdentifier identifier: String, in catalog: UpdateCatalog) -> StoreListing? {
    current(catalog) { $0.byIdentifier[identifier.lowercased()] }
  }

  private func current<Value: Sendable>(
    _ catalog: UpdateCatalog, _ body: (State) -> Value
  ) -> Value {
    state.withLock { state in
      if state.generation != catalog.generation { state = Self.state(of: catalog) }
      return body(state)
    }
  }

  private static func state(of catalog: UpdateCatalog) -> State {
    var state = State(generation: catalog.generation)
    var own: [(number: Int, listing: StoreListing)] = []
    for (name, updates) in catalog.apps.sorted(by: { $0.key < $1.key }) {
      let address = catalog.configurations[name]?.document.url
      if let listing = StoreListing(updates, address: address) {
        // A number that was set takes precedence over a made-up one.
        let isSet = updates.settings[UpdateSetting.storeID.rawValue] != nil
        if isSet || state.byTrackID[listing.trackID] == nil {
          state.byTrackID[listing.trackID] = listing
        }
        // Apps in the field may still ask for the number that this one had before.
        own.append((StoreListing.ownTrackID(of: updates), listing))
      }
      for identifier in Set(updates.artefacts.compactMap { $0.package.identifier?.lowercased() }) {
        guard
          let listing = StoreListing(updates, identifier: identifier, address: address)
        else { continue }
        // If two apps share an identifier, the one released last is used.
        if let other = state.byIdentifier[identifier],
          other.artefact.uploaded >= listing.artefact.uploaded
        {
          continue
        }
        state.byIdentifier[identifier] = listing
      }
    }
    for (number, listing) in own where state.byTrackID[number] == nil {
      state.byTrackID[number] = listing
    }
    return state
  }
}
