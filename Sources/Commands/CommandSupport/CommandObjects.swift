internal import CrashService
internal import Files
package import HTTPClient
package import ObjectStorage

/// The objects of S3 that a command reads and writes. No account is made, and no library loaded, before an object
/// is asked for.
package enum CommandObjects {
  private static let agent = "mayday/\(Product.version)"

  /// - Throws: ``ObjectStorageError`` where a setting cannot be used.
  package static func store(
    plan: RetryPlan = RetryPlan()
  ) throws(ObjectStorageError) -> ObjectStore {
    ObjectStore(try ObjectStorageAccount(agent: agent), agent: agent, plan: plan)
  }

  /// The copies of debug files on this machine.
  package static func copies() -> ObjectCopies {
    ObjectCopies(in: Folder.userCaches.map { $0 + "/debug-files" }) {
      () throws(ObjectStorageError) in try store()
    }
  }
}
