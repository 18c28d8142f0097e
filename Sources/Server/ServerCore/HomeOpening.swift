package import Uploads
internal import CrashService
package import CrashStore
internal import Pipeline
internal import Scrubbing
package import ServerStore

/// Opens a home for a server; on a full disk, by using the space held in reserve.
package struct HomeOpening {
  package let home: String
  package let limits: IntakeLimits
  package let rate: Int
  package let unknownApps: UnknownApps
  package let unknownAppLimit: Int
  package let uploadLimits: UploadLimits
  /// A new policy for sharing debug files; `nil` for the home's setting.
  package var sharing: CrashStore.Sharing?
  /// A new daily limit of stored reports per group and build; `nil` for the home's setting.
  package var dailyLimit: Int?
  package let signIn: SignInSettings

  /// - Returns: `nil` while the disk is too full even to read the home.
  /// - Throws: Any other error that prevents opening it.
  package func open() throws -> ServerContext? {
    let ballast = ReserveFile(of: home)
    do {
      let context: ServerContext
      do {
        context = try make()
      } catch  where StorageCause(of: error) == .noRoom && ballast.release() {
        context = try make()
      }
      if (try? context.queue.admit(0)) != nil { ballast.make() }
      return context
    } catch  where StorageCause(of: error) == .noRoom {
      return nil
    }
  }

  /// Cache size for database pages: the system caches them too, and server and worker together should use
  /// less than 200 MB.
  private static let cacheBytes = 24 << 20

  private func make() throws -> ServerContext {
    let store = try CrashStore(opening: home, cacheBytes: Self.cacheBytes)
    if let sharing { try store.debugFiles.setSharing(sharing) }
    if let dailyLimit { try store.retention.setDailyLimit(dailyLimit) }
    // An error in the file is reported now, not when the first report arrives.
    _ = try Scrubber(of: store.settings)
    let context = try ServerContext(
      home: home, store: store, limits: limits, rate: rate, unknownApps: unknownApps,
      unknownAppLimit: unknownAppLimit, uploadLimits: uploadLimits, signIn: signIn)
    try context.readThrough()
    return context
  }

  /// Returns a context for the same home with new limits; it replaces a service that ends with its last
  /// request.
  package func context(after old: ServerContext) throws -> ServerContext {
    if let dailyLimit { try old.store.retention.setDailyLimit(dailyLimit) }
    return try ServerContext(
      home: home, store: old.store, limits: limits, rate: rate, unknownApps: unknownApps,
      unknownAppLimit: unknownAppLimit, uploadLimits: uploadLimits, signIn: signIn, after: old)
  }

  package init(
    home: String, limits: IntakeLimits, rate: Int, unknownApps: UnknownApps, unknownAppLimit: Int,
    uploadLimits: UploadLimits, sharing: CrashStore.Sharing? = nil,
    dailyLimit: Int? = nil, signIn: SignInSettings = SignInSettings()
  ) {
    self.home = home
    self.limits = limits
    self.rate = rate
    self.unknownApps = unknownApps
    self.unknownAppLimit = unknownAppLimit
    self.uploadLimits = uploadLimits
    self.sharing = sharing
    self.dailyLimit = dailyLimit
    self.signIn = signIn
  }
}
