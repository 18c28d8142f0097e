package import Arguments
internal import Bytes
internal import Files
internal import HTTPClient
internal import ObjectStorage
package import Symbolication
package import Terminal

/// Where compiled debug files are kept between runs of a command without a store.
package struct SymbolCacheOptions {
  @Option(
    "--cache",
    help: "Keep compiled debug files in this folder or on S3, for other runs and processes.",
    value: "DIR")
  package var place: String?

  /// The tries of a request: a cache that cannot be had can be made.
  private static let tries = 3

  package init() {}

  /// The caches of the command.
  ///
  /// - Throws: ``ObjectAddressError`` for a wrong address on S3.
  package func caches(_ console: Console) throws -> GivenCaches {
    guard let place, ObjectAddress.isMeant(by: place) else {
      return GivenCaches(folder: place.map { CacheFolder($0) })
    }
    let shared = try SharedCaches(at: ObjectAddress(parsing: place)) {
      () throws(ObjectStorageError) in
      var plan = RetryPlan()
      plan.tries = Self.tries
      return try CommandObjects.store(plan: plan)
    } warn: {
      console.warn($0.printable)
    }
    return GivenCaches(
      folder: Folder.userCaches.map { CacheFolder($0 + "/symbol-caches") }, shared: shared)
  }
}

/// The symbol caches that a command was given.
package struct GivenCaches: Sendable {
  package var folder: CacheFolder?
  package var shared: SharedCaches?
}
