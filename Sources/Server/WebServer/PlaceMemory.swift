internal import Synchronization

/// The places in code that pages have shown, so that lists read no report twice.
package final class PlaceMemory: Sendable {
  /// A report and its title: reprocessing may change both title and place.
  package struct Key: Hashable, Sendable {
    let report: String
    let title: String

    package init(report: String, title: String) {
      self.report = report
      self.title = title
    }
  }

  /// The most places that are kept, some 200 bytes each.
  private static let limit = 20_000

  private let places = Mutex<[Key: String?]>([:])

  package init() {}

  /// `nil` where the report has no place, or it is unknown.
  package subscript(key: Key) -> String? { places.withLock { $0[key] ?? nil } }

  package func isUnknown(_ key: Key) -> Bool { places.withLock { $0[key] == nil } }

  /// - Parameter place: `nil` where the report has none.
  package func keep(_ place: String?, for key: Key) {
    places.withLock { places in
      if places.count >= Self.limit { places.removeAll() }
      places.updateValue(place, forKey: key)
    }
  }
}
